#ifndef CPOSIX_H
#define CPOSIX_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/// Renames like renameat(2), but fails with EEXIST if the new name is taken:
/// renameat2(2) with RENAME_NOREPLACE on Linux, renameatx_np(2) with RENAME_EXCL on Apple.
int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to);

/// Makes `to` share the bytes of `from`: FICLONE of ioctl_ficlone(2) on Linux. Fails with ENOTSUP
/// on other systems, and with one of many errors if the volume cannot.
int posix_clone(int from, int to);

/// Copies up to `count` bytes between two files inside the kernel: copy_file_range(2) on Linux.
/// Fails with ENOTSUP on other systems.
ssize_t posix_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count);

/// Begins to write a file's bytes to the disk, and does not wait: sync_file_range(2) with
/// SYNC_FILE_RANGE_WRITE on Linux. Does nothing on other systems. Only a sync makes bytes durable.
void posix_start_writeback(int file);

/// Reads the status of `name` in `folder`, of a link itself, or of `folder` if `name` is null:
/// statx(2) on Linux, fstatat(2) or fstat(2) on Apple. `created` is when the file was made, with
/// -1 nanoseconds if the volume does not know. If `dated` is 0, `st_mtim` and `st_ctim` need not
/// be right.
int posix_status(
    int folder, const char *name, int dated, struct stat *found, struct timespec *created
);

#endif
