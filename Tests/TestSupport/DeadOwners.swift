package import FileSystem

/// Processes that have ended: all processes of a simulation have the identifier of the test, which still runs.
extension FileSystem {
    /// Makes all that waits in the trash, all stages unless only the trash counts, and the last use of each lock that of
    /// a process that has ended.
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
            } else if name.isHidden, name.string.hasSuffix(".lock") {
                try buryHolder(of: name, in: folder)
            }
        }
    }

    /// Names a process that has ended in a lock file as its last holder; its size, which says something, stays.
    private func buryHolder(of name: FileName, in folder: Handle) throws {
        guard let bytes = try readAll(name, in: folder) else { return }
        let text = namingDeadHolder(inLockFile: String(decoding: bytes, as: UTF8.self))
        try write(Array(text.utf8), to: openFile(name, in: folder, for: .update), at: 0)
    }
}

/// The text of a lock file whose last holder was this process, as if that process had ended.
package func namingDeadHolder(inLockFile text: String) -> String {
    let lines = text.split(separator: "\n")
    let words = lines.dropFirst().first?.split(separator: " ").filter { $0 != "unsynced" } ?? []
    guard let owner = words.last else { return text }
    var parts = owner.split(separator: ".")
    // Without the start of the process, which Linux knows.
    if parts.count > 2, parts[2] == "linux" { parts.removeLast() }
    parts[parts.count - 1] = "2147483647"
    return "\(lines[0])\nprocess 2147483647 (ended) \(parts.joined(separator: "."))\n"
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
