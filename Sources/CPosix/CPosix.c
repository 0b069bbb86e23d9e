#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int posix_clone(int from, int to) {
    return ioctl(to, FICLONE, from);
}

ssize_t posix_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count) {
    return copy_file_range(from, &from_offset, to, &to_offset, count, 0);
}

#else

int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to) {
    return renameatx_np(from_folder, from, to_folder, to, RENAME_EXCL);
}

int posix_clone(int from, int to) {
    (void)from, (void)to;
    errno = ENOTSUP;
    return -1;
}

ssize_t posix_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count) {
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)count;
    errno = ENOTSUP;
    return -1;
}

#endif
