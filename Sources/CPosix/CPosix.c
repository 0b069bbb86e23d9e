#define _GNU_SOURCE
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#ifdef __linux__

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/sysmacros.h>

int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to) {
    return renameat2(from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int posix_clone(int from, int to) {
    return ioctl(to, FICLONE, from);
}

ssize_t posix_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count) {
    return copy_file_range(from, &from_offset, to, &to_offset, count, 0);
}

void posix_start_writeback(int file) {
    sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int posix_status(
    int folder, const char *name, int dated, struct stat *found, struct timespec *created
) {
    struct statx all;
    int flags = name ? AT_SYMLINK_NOFOLLOW : AT_EMPTY_PATH;
    int wanted = STATX_BASIC_STATS | STATX_BTIME;
    if (!dated) wanted &= ~(STATX_ATIME | STATX_MTIME | STATX_CTIME);
    if (statx(folder, name ? name : "", flags, wanted, &all) == -1) return -1;
    found->st_mode = all.stx_mode;
    found->st_dev = makedev(all.stx_dev_major, all.stx_dev_minor);
    found->st_ino = all.stx_ino;
    found->st_size = all.stx_size;
    found->st_nlink = all.stx_nlink;
    found->st_mtim = (struct timespec){all.stx_mtime.tv_sec, all.stx_mtime.tv_nsec};
    found->st_ctim = (struct timespec){all.stx_ctime.tv_sec, all.stx_ctime.tv_nsec};
    int known = (all.stx_mask & STATX_BTIME) != 0;
    *created = (struct timespec){all.stx_btime.tv_sec, known ? all.stx_btime.tv_nsec : -1};
    return 0;
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

void posix_start_writeback(int file) { (void)file; }

ssize_t posix_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count) {
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)count;
    errno = ENOTSUP;
    return -1;
}

int posix_status(
    int folder, const char *name, int dated, struct stat *found, struct timespec *created
) {
    (void)dated;
    int result = name ? fstatat(folder, name, found, AT_SYMLINK_NOFOLLOW) : fstat(folder, found);
    if (result == 0) *created = found->st_birthtimespec;
    return result;
}

#endif
