#ifdef __APPLE__
#include "CPosix.h"

#include <TargetConditionals.h>
#include <sys/attr.h>
#include <sys/clonefile.h>
#include <sys/mount.h>

int posix_rename_exclusive(int from_folder, const char *from, int to_folder, const char *to) {
    return renameatx_np(from_folder, from, to_folder, to, RENAME_EXCL);
}

int posix_exchange(int folder, const char *name, const char *other) {
    return renameatx_np(folder, name, folder, other, RENAME_SWAP);
}

int posix_clone_into(int from, int to) {
    (void)from, (void)to;
    errno = ENOSYS;
    return -1;
}

// clonefile(2): the clone has all attributes of its source, but another owner and no ACL.
int posix_clone_as(int from, int folder, const char *name) {
    return fclonefileat(from, folder, name, CLONE_NOFOLLOW | CLONE_NOOWNERCOPY);
}

int posix_clear_flags(int file) {
    struct stat found;
    if (fstat(file, &found) == -1) return -1;
    if ((found.st_flags & (UF_IMMUTABLE | UF_APPEND)) == 0) return 0;
    return fchflags(file, found.st_flags & ~(unsigned)(UF_IMMUTABLE | UF_APPEND));
}

ssize_t posix_copy_range(int from, int64_t from_offset, int to, int64_t to_offset, size_t count) {
    (void)from, (void)from_offset, (void)to, (void)to_offset, (void)count;
    errno = ENOSYS;
    return -1;
}

int posix_full_sync(int file) { return fcntl(file, F_FULLFSYNC); }

int posix_sync_data(int file) { return fsync(file); }

void posix_start_writeback(int file) { (void)file; }

int posix_protect(int file, int protection_class) {
#if TARGET_OS_IPHONE
    return fcntl(file, F_SETPROTECTIONCLASS, protection_class);
#else
    (void)file, (void)protection_class;
    return 0;
#endif
}

int posix_status(
    int folder, const char *name, int follows, int dated, struct stat *found,
    struct timespec *created
) {
    (void)dated;
    int flags = follows ? 0 : AT_SYMLINK_NOFOLLOW;
    int result = name ? fstatat(folder, name, found, flags) : fstat(folder, found);
    if (result == 0) *created = found->st_birthtimespec;
    return result;
}

struct timespec posix_modified(const struct stat *status) { return status->st_mtimespec; }
struct timespec posix_changed(const struct stat *status) { return status->st_ctimespec; }

// SF_DATALESS of <sys/stat.h>, "file is dataless object": a file provider such as iCloud holds the bytes.
int posix_is_dataless(const struct stat *status) { return (status->st_flags & SF_DATALESS) != 0; }

int posix_birth_is_fixed(void) { return 0; }

// On all of Apple's systems but macOS, fstatfs(2) is a required reason API: the App Store refuses programs
// that link it without a reason, and Apple's list of reasons does not contain this use ("Describing use
// of required reason API"). On those systems, apps open local volumes only.
int posix_is_remote(int folder) {
#if TARGET_OS_OSX
    struct statfs found;
    return fstatfs(folder, &found) == 0 && (found.f_flags & MNT_LOCAL) == 0;
#else
    (void)folder;
    return 0;
#endif
}

#endif
