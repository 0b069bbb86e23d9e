import CPosix

extension LocalFileSystem {
    package func watch(
        _ folder: Handle, for names: Set<FileName>,
        _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
    ) throws -> FolderWatch? {
        guard posix_is_remote(folder.descriptor) == 0 else {
            throw FileSystemError("watch", folder.path, .notSupported)
        }
        #if canImport(Darwin)
            let sources = try FolderSources(folder, names, on: self, changed)
            return FolderWatch { sources.cancel() }
        #else
            return try Inotify.shared.watch(folder, for: names, changed)
        #endif
    }
}
