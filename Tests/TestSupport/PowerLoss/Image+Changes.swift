package import FileSystem

extension MemoryFileSystem.Image {
    mutating func apply(_ entry: RecordedDisk.Entry) {
        if !entry.isRemoval, contents[entry.inode] == nil {
            contents[entry.inode] = entry.isFolder ? .folder([:]) : .file([])
        }
        guard
            case .folder(var entries)? = contents.removeValue(forKey: entry.folder) ?? .folder([:])
        else { return }
        entries[entry.name] = entry.isRemoval ? nil : entry.inode
        contents[entry.folder] = .folder(entries)
    }

    /// Writes `bytes` without the pieces that `tear` leaves out.
    mutating func write(_ bytes: [UInt8], to inode: UInt64, at offset: Int, _ tear: Tear? = nil) {
        guard case .file(let old) = contents[inode] ?? .file([]) else { return }
        var new = old
        let end = offset + bytes.count
        if new.count < end { new += [UInt8](repeating: 0, count: end - new.count) }
        new.replaceSubrange(offset..<end, with: bytes)
        tear?.apply(to: &new, offset..<end, over: old)
        contents[inode] = .file(new)
    }

    mutating func truncate(_ inode: UInt64, to size: Int) {
        guard case .file(let content)? = contents[inode] else { return }
        let zeros = [UInt8](repeating: 0, count: max(0, size - content.count))
        contents[inode] = .file(Array(content.prefix(size)) + zeros)
    }

    /// What every process sees after `events`.
    ///
    /// Removed files stay without a name, so that no new file gets the inode of one of them.
    package func visible(after events: some Sequence<RecordedDisk.Event>) -> Self {
        var image = self
        for case .unit(let unit) in events {
            switch unit {
            case .write(let inode, let offset, let bytes): image.write(bytes, to: inode, at: offset)
            case .truncation(let inode, let size): image.truncate(inode, to: size)
            case .entries(let entries): for entry in entries { image.apply(entry) }
            }
        }
        return image
    }

    /// The same without files and folders that have no path.
    var withoutUnreachable: Self {
        var image = self
        image.contents.removeAll(keepingCapacity: true)
        var open = [Self.root]
        while let inode = open.popLast() {
            guard image.contents[inode] == nil, let content = contents[inode] else { continue }
            image.contents[inode] = content
            if case .folder(let entries) = content { open += entries.values }
        }
        return image
    }
}
