package import FileSystem

extension FileSystem {
    /// Makes all stages, and all that waits in the trash, those of a process that has ended.
    ///
    /// All processes of a schedule have the identifier of the test, which still runs.
    package func buryOwners() throws { try buryOwners(in: openFolder(at: "/")) }

    private func buryOwners(in folder: Handle) throws {
        for name in try list(folder) {
            if try status(of: name, in: folder)?.kind == .folder {
                try buryOwners(in: openFolder(name, in: folder))
            } else if name.string.hasPrefix("owner.") || name.string.hasPrefix(".owner.") {
                let words = name.string.split(separator: ".", omittingEmptySubsequences: false)
                    .prefix(name.isHidden ? 5 : 4).joined(separator: ".")
                let dead = try FileName(validating: "\(words).2147483647.1")
                try rename(name, in: folder, to: dead, in: folder, replacing: true)
            }
        }
    }
}
