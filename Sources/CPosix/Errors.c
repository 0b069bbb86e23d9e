// With _GNU_SOURCE, strerror_r(3) would be another function in glibc and bionic.
#undef _GNU_SOURCE
#include "CPosix.h"

int posix_errno(void) { return errno; }

void posix_clear_errno(void) { errno = 0; }

int posix_error_text(int number, char *text, size_t capacity) {
    return strerror_r(number, text, capacity);
}
