#define _GNU_SOURCE
#include "CPosix.h"

int posix_open_at(int folder, const char *name, int flags, mode_t mode) {
    return openat(folder, name, flags, mode);
}

int posix_duplicate(int file, int minimum) { return fcntl(file, F_DUPFD_CLOEXEC, minimum); }
