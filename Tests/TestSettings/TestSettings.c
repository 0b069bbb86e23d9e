// The testing library records a backtrace of each error that is thrown, which takes a large part of the time of the
// tests: most errors are those that a test expects. This runs before the testing library reads its settings, and leaves
// a setting that is given.

#include <stdlib.h>

__attribute__((constructor)) static void set(void) {
    setenv("SWT_SWIFT_ERROR_BACKTRACING_ENABLED", "0", 0);
}
