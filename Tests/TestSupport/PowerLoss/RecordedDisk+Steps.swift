package import FileSystem

extension RecordedDisk {
    /// Describes each event, with a star in place of random parts of names.
    ///
    /// Two recordings of the same calls have the same steps.
    package static func steps(
        of events: [Event], on start: MemoryFileSystem.Image
    ) -> [String] {
        var paths = RecordedPaths(of: start)
        return events.map { event in
            switch event {
            case .acknowledged: "acknowledge"
            case .failedSync(let inode): "fail to sync \(paths.path(of: inode))"
            case .sync(let inode): "sync \(paths.path(of: inode))"
            case .unit(.write(let inode, _, _)): "write \(paths.path(of: inode))"
            case .unit(.truncation(let inode, _)): "truncate \(paths.path(of: inode))"
            case .unit(.entries(let entries)): paths.apply(entries)
            }
        }
    }
}
