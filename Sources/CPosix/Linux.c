#ifdef __linux__
#define _GNU_SOURCE
#include "CPosix.h"

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

// Called by number, because musl has no function for renameat2(2).
int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to) {
    return (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, RENAME_NOREPLACE);
}

int posix_exchange(int folder, const char *name, const char *other) {
    return (int)syscall(SYS_renameat2, folder, name, folder, other, RENAME_EXCHANGE);
}

int posix_clone_into(int from, int to) { return ioctl(to, FICLONE, from); }

int posix_clone_as(int from, int folder, const char *name) {
    (void)from, (void)folder, (void)name;
    errno = ENOSYS;
    return -1;
}

int posix_clear_flags(int file) {
    (void)file;
    return 0;
}

ssize_t posix_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count) {
#if defined(__ANDROID__) && __ANDROID_API__ < 34
    // Older versions of Android end an app that makes a system call for which bionic has no function.
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)count;
    errno = ENOSYS;
    return -1;
#else
    return syscall(SYS_copy_file_range, from, &from_offset, to, &to_offset, count, 0);
#endif
}

int posix_full_sync(int file) {
    (void)file;
    errno = ENOSYS;
    return -1;
}

int posix_sync_data(int file) { return fdatasync(file); }

void posix_start_writeback(int file) {
    sync_file_range(file, 0, 0, SYNC_FILE_RANGE_WRITE);
}

int posix_protect(int file, int protection_class) {
    (void)file, (void)protection_class;
    return 0;
}

// Whether a folder is on an overlay; -1 if that cannot be found out, with the reason in errno.
//
// The first change of a folder in a lower layer of an overlay gives it the birth time of the copy in the upper layer.
// Nothing is remembered, because the numbers of such volumes are used again as soon as one is unmounted.
static int is_on_overlay(int folder, const char *name, int follows) {
    int flags = O_PATH | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW);
    int file = name ? openat(folder, name, flags) : folder;
    if (file == -1) return -1;
    struct statfs volume;
    int is_overlay =
        fstatfs(file, &volume) == -1 ? -1 : (uint32_t)volume.f_type == 0x794C7630;
    int error = errno;
    if (name) close(file);
    errno = error;
    return is_overlay;
}

int posix_status(
    int folder, const char *name, int follows, int dated, struct stat *found,
    struct timespec *created
) {
    struct statx all;
    int flags = name ? (follows ? 0 : AT_SYMLINK_NOFOLLOW) : AT_EMPTY_PATH;
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
    // Such volumes have no device of their own, so their numbers are made up, with major 0.
    if (S_ISDIR(all.stx_mode) && all.stx_dev_major == 0) {
        int is_overlay = is_on_overlay(folder, name, follows);
        if (is_overlay == -1) return -1;
        if (is_overlay) known = 0;
    }
    *created = (struct timespec){all.stx_btime.tv_sec, known ? (long)all.stx_btime.tv_nsec : -1};
    return 0;
}

struct timespec posix_modified(const struct stat *status) { return status->st_mtim; }
struct timespec posix_changed(const struct stat *status) { return status->st_ctim; }

int posix_is_dataless(const struct stat *status) {
    (void)status;
    return 0;
}

int posix_birth_is_fixed(void) { return 1; }

// The numbers of the file systems are those of statfs(2); not all headers define them.
int posix_is_remote(int folder) {
    struct statfs found;
    if (fstatfs(folder, &found) == -1) return 0;
    switch ((uint32_t)found.f_type) {
    case 0x6969:      // NFS
    case 0x517B:      // SMB
    case 0xFF534D42:  // CIFS
    case 0xFE534D42:  // SMB2
    case 0x00C36400:  // Ceph
    case 0x5346414F:  // AFS
    case 0x01021997:  // 9P
    case 0x65735546:  // FUSE
        return 1;
    default:
        return 0;
    }
}

#endif
