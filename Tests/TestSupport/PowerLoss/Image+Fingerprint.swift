package import FileSystem

extension MemoryFileSystem.Image {
    /// A hash of the whole disk, for seven of eight disks without the bytes of lock files.
    ///
    /// Those bytes matter to running processes only, so two disks that differ in nothing else need
    /// one check; one disk of eight is checked with each of them all the same.
    package var fingerprint: Int {
        var (all, withoutLocks) = (0, 0)
        for (folder, content) in contents {
            guard case .folder(let entries) = content else { continue }
            for (name, inode) in entries {
                let isLock = name.isHidden && name.string.hasSuffix(".lock")
                var hasher = Hasher()
                hasher.combine(folder)
                hasher.combine(name)
                hasher.combine(inode)
                if case .file(let bytes)? = contents[inode] {
                    if isLock { withoutLocks &+= hasher.finalize() }
                    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
                }
                let hash = hasher.finalize()
                all &+= hash
                if !isLock { withoutLocks &+= hash }
            }
        }
        return withoutLocks & 7 == 0 ? all : withoutLocks
    }

    /// A number that depends on the sizes of files and folders alone, so that it is the same in
    /// every run although random names differ.
    package var choice: Int {
        var sum = contents.count
        for content in contents.values {
            switch content {
            case .file(let bytes): sum &+= bytes.count &* 31
            case .folder(let entries): sum &+= entries.count &* 7919
            }
        }
        var generator = SeededGenerator(seed: UInt64(truncatingIfNeeded: sum))
        return Int(generator.next() >> 2)
    }
}
