#ifndef CPOSIX_H
#define CPOSIX_H

// A Swift file that imports CPosix needs no module of a C library: Darwin, Glibc, Musl or Android.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/inotify.h>
#endif

// Calls that Swift cannot import.

/// The error number of the last call of this thread that failed: errno(3).
int posix_errno(void);
/// Sets the error number of this thread to 0.
void posix_clear_errno(void);

/// Writes the system's text for an error number, and returns 0: strerror_r(3) as POSIX has it.
int posix_error_text(int number, char *text, size_t capacity);

/// openat(2), which has a variable number of arguments.
int posix_open_at(int folder, const char *name, int flags, mode_t mode);

/// A new descriptor of at least `minimum` for an open file: fcntl(2) with F_DUPFD_CLOEXEC.
int posix_duplicate(int file, int minimum);

// Calls that have different names on different systems. If a system has no such call, the function
// fails with ENOSYS, unless its comment says otherwise.

/// Renames like renameat(2), but fails with EEXIST if the new name is taken:
/// renameat2(2) with RENAME_NOREPLACE on Linux, renameatx_np(2) with RENAME_EXCL on Apple.
int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to);

/// Exchanges the files or folders of two names: renameat2(2) with RENAME_EXCHANGE on Linux,
/// renameatx_np(2) with RENAME_SWAP on Apple.
int posix_exchange(int folder, const char *name, const char *other);

/// Makes `to`, an empty file, share the bytes of `from`: FICLONE of ioctl_ficlone(2) on Linux.
int posix_clone_into(int from, int to);

/// Makes the new file `name` in `folder`, which shares the bytes of `from` and has its mode, its
/// flags and its extended attributes: fclonefileat(2) on Apple.
int posix_clone_as(int from, int folder, const char *name);

/// Clears the flags that keep the owner of an open file from changing it: fchflags(2) on Apple.
/// Other systems have no such flags, and return 0.
int posix_clear_flags(int file);

/// Copies up to `count` bytes between two files inside the kernel: copy_file_range(2) on Linux.
ssize_t posix_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count);

/// fsync(2), and then flushes the cache of the drive: fcntl(2) with F_FULLFSYNC on Apple.
int posix_full_sync(int file);

/// Like fsync(2), but perhaps without dates and mode: fdatasync(2) on Linux, fsync(2) on Apple.
int posix_sync_data(int file);

/// Begins to write a file's bytes to the disk, and does not wait: sync_file_range(2) with
/// SYNC_FILE_RANGE_WRITE on Linux. Does nothing on other systems. Only a sync makes bytes durable.
void posix_start_writeback(int file);

/// Gives an open file or folder a class of data protection: fcntl(2) with F_SETPROTECTIONCLASS on
/// iOS, tvOS and visionOS. Other systems have no classes, and return 0.
int posix_protect(int file, int protection_class);

/// Reads the status of `name` in `folder`, or of `folder` if `name` is null: statx(2) on Linux,
/// fstatat(2) or fstat(2) on Apple. A link is followed only if `follows` is not 0. `created` is the
/// time when the file was made, with -1 nanoseconds if the volume does not know, or if it changes for a
/// folder, as on overlayfs (Linux, Documentation/filesystems/overlayfs.rst). If `dated` is 0,
/// the dates of the last write and the last change may be wrong.
int posix_status(
    int folder, const char *name, int follows, int dated, struct stat *found,
    struct timespec *created
);

/// The time of the last write, which systems name differently.
struct timespec posix_modified(const struct stat *status);
/// The time of the last change of bytes or attributes, which systems name differently.
struct timespec posix_changed(const struct stat *status);

/// Whether a read of the file would download its bytes first: SF_DATALESS of stat(2) on Apple.
int posix_is_dataless(const struct stat *status);

/// Whether the identity of a folder needs the time when it was made: nobody can change that time, and
/// a new folder can get the inode number of a removed one.
///
/// On Apple, utimensat(2) with an older date sets the date of birth too, and APFS gives no inode
/// number twice ("Apple File System Reference", `apfs_next_obj_id`).
int posix_birth_is_fixed(void);

/// Whether the volume of an open folder can change without a process of this machine, so that its
/// kernel does not notice: NFS, SMB, Ceph, AFS, 9P and FUSE on Linux, volumes without MNT_LOCAL on
/// macOS, by statfs(2). False if that is not known.
int posix_is_remote(int folder);

#endif
