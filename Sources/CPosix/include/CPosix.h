#ifndef CPOSIX_H
#define CPOSIX_H

#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>

/// Renames like renameat(2), but fails with EEXIST where the new name is taken:
/// renameat2(2) with RENAME_NOREPLACE on Linux, renameatx_np(2) with RENAME_EXCL on Apple.
int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to);

/// Makes `to` share the bytes of `from` (FICLONE of ioctl_ficlone(2)); fails with ENOTSUP where
/// the volume cannot.
int posix_clone(int from, int to);

/// Copies up to `count` bytes between two files inside the kernel: copy_file_range(2); fails with
/// ENOTSUP where the system lacks it.
ssize_t posix_copy_range(int from, off_t from_offset, int to, off_t to_offset, size_t count);

/// Begins to write a file's bytes to its disk, and does not wait: sync_file_range(2) with
/// SYNC_FILE_RANGE_WRITE on Linux, nothing elsewhere. It promises nothing; a sync does.
void posix_start_writeback(int file);

/// Looks at `name` in `folder` without following a link, or at `folder` itself where `name` is
/// null, and at when it was made: statx(2) on Linux, fstatat(2) or fstat(2) on Apple. A `created`
/// of -1 nanoseconds means that the volume does not know. If `dated` is 0 the dates of the last
/// change need not be right.
int posix_status(
    int folder, const char *name, int dated, struct stat *found, struct timespec *created
);

#endif
