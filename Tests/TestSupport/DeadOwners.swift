package import FileSystem

extension FileSystem {
    /// Makes all that waits in the trash, and all stages unless only the trash counts, that of a
    /// process that has ended.
    ///
    /// All processes of a simulation have the identifier of the test, which still runs.
    package func buryOwners(inTrash isOnlyInTrash: Bool = false) throws {
        let prefixes = isOnlyInTrash ? [".owner."] : [".owner.", "owner."]
        try buryOwners(in: openFolder(at: "/"), prefixes)
    }

    private func buryOwners(in folder: Handle, _ prefixes: [String]) throws {
        for name in try list(folder) {
            if try status(of: name, in: folder)?.kind == .folder {
                try buryOwners(in: openFolder(name, in: folder), prefixes)
            } else if prefixes.contains(where: name.string.hasPrefix) {
                let words = name.string.split(separator: ".", omittingEmptySubsequences: false)
                    .prefix(name.isHidden ? 6 : 5).joined(separator: ".")
                let dead = try FileName(validating: "\(words).2147483647.1")
                try rename(name, in: folder, to: dead, in: folder, replacing: true)
            }
        }
    }
}

extension MemoryFileSystem.Image {
    /// The same after the processes have ended that kept something in the trash.
    package func buryingKeepers() throws -> Self {
        let keeps = contents.values.contains { content in
            guard case .folder(let entries) = content else { return false }
            return entries.keys.contains { $0.string.hasPrefix(".owner.") }
        }
        guard keeps else { return self }
        let disk = MemoryFileSystem(self)
        try disk.buryOwners(inTrash: true)
        return disk.image
    }
}
