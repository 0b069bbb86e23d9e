import Directory
import DirectoryReplicas
import FileSystem
import TestSupport

/// A device whose store is set back to a backup.
extension Model {
    /// Keeps the files of a device, and what it knows.
    mutating func backUp() throws {
        let name = devices[0].name
        backup = (
            try files(below: "/\(name)/store"), known[name] ?? .init(), newest[name]?.number ?? 0
        )
    }

    /// Sets the store of a device back to what it was.
    mutating func restore() throws {
        guard var backup else { return }
        let device = devices[0]
        // What was not published is lost with the disk; here nothing is.
        unreadableFiles.set(false, on: device.name)
        try sync(0, canCrash: false)
        if let dot = newest[device.name] {
            setBack = dot.device
            oracle.noteSettingBack(of: dot.device)
            // A process that was killed before the backup may have written one more segment than it had sent.
            backup.known.most.insert(Dot(dot.device, backup.sentCount + 1))
        }
        device.process.kill()
        try disk.removeTree("store", in: disk.openFolder(at: "/\(device.name)"))
        for (path, bytes) in backup.image {
            let parts = path.split(separator: "/").map(String.init)
            let folder = try disk.openOrMakeFolder(
                at: "/" + parts.dropLast().joined(separator: "/"), mode: 0o755)
            let file = try disk.openFile(
                FileName(validating: parts.last ?? ""), in: folder, for: .create(mode: 0o644))
            try disk.write(bytes, to: file, at: 0)
        }
        known[device.name] = backup.known
        newest[device.name] = nil
        try restart(device)
        if settings.damage > 0 { try repair(device) }
    }

    /// The bytes of the files below a path, all at one moment: collections end their journals in the background.
    func files(below path: String) throws -> [String: [UInt8]] {
        let disk = MemoryFileSystem(disk.image)
        var files: [String: [UInt8]] = [:]
        func add(_ folder: Handle, _ path: String) throws {
            for name in try disk.list(folder) {
                let inner = "\(path)/\(name)"
                if try disk.status(of: name, in: folder)?.kind == .folder {
                    try add(disk.openFolder(name, in: folder), inner)
                } else {
                    files[inner] = try disk.readAll(name, in: folder)
                }
            }
        }
        if let top = try disk.unlessMissing({ try disk.openFolder(at: path) }) {
            try add(top, path)
        }
        return files
    }
}
