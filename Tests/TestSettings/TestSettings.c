// A setting of the testing library, which it reads when it starts. If it is given, it stays.

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void set(void) {
    // By default it starts all tests at once. They share as many threads as there are processors, so that a test that
    // waits for a process goes on only after all others, and a thread of the library spins meanwhile.
    char width[24];
    snprintf(width, sizeof width, "%ld", 3 * sysconf(_SC_NPROCESSORS_ONLN));
    setenv("SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH", width, 0);
}
