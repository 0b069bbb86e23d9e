import FileSystem
import Foundation

/// Performs operations on a file system, with ten numbered handles.
struct OperationRunner {
    /// The outcome of an operation, which must be the same on every file system.
    enum Outcome: Equatable {
        case done(String)
        case failed(Errno)
    }

    let files: any FileSystem
    private var slots: [Handle]

    /// Creates a runner in which every handle is `root`.
    init(_ files: any FileSystem, root: Handle) {
        self.files = files
        slots = Array(repeating: root, count: Operation.fileSlots.upperBound)
    }

    /// Performs `operation`.
    mutating func perform(_ operation: Operation) throws -> Outcome {
        do {
            return .done(try result(of: operation))
        } catch let error as FileSystemError {
            return .failed(error.code)
        }
    }

    private mutating func result(of operation: Operation) throws -> String {
        switch operation {
        case .makeFolder(let name, let folder, let mode):
            try files.makeFolder(name, in: slots[folder], mode: mode)
        case .openFolder(let name, let folder, let slot):
            slots[slot] = try files.openFolder(name, in: slots[folder])
        case .openOrMakeFolder(let name, let folder, let mode, let slot):
            slots[slot] = try files.openOrMakeFolder(name, in: slots[folder], mode: mode)
        case .list(let folder):
            return try files.names(in: slots[folder]).joined(separator: " ")
        case .openFile(let name, let folder, let access, let slot):
            slots[slot] = try files.openFile(name, in: slots[folder], for: access)
        case .read(let file, let offset, let count):
            let bytes = try files.read(slots[file], at: offset, count: count)
            return String(decoding: bytes, as: UTF8.self)
        case .write(let bytes, let file, let offset):
            try files.write(bytes, to: slots[file], at: offset)
        case .copy(let from, let to, let offset, let count):
            let (source, target) = (slots[from], slots[to])
            if let copied = try files.copy(source, to: target, at: offset, count: count) {
                return "\(copied)"
            }
            // The kernel copies no bytes of a file to themselves.
            let bytes = try files.read(source, at: offset, count: count)
            try files.write(bytes, to: target, at: offset)
            return "\(bytes.count)"
        case .tryLock(let file):
            // A process that another test starts at this moment shares the open files of this
            // one, with their locks, until it runs its own program, so try again.
            for _ in 0..<50 {
                if try files.tryLock(slots[file]) { return "true" }
                usleep(1_000)
            }
            return "false"
        case .status(let name, let folder):
            return try files.status(of: name, in: slots[folder]).map(describe) ?? "nothing"
        case .handleStatus(let slot):
            return try describe(files.status(of: slots[slot]))
        case .rename(let name, let folder, let newName, let newFolder, let replacing):
            try files.rename(
                name, in: slots[folder], to: newName, in: slots[newFolder], replacing: replacing)
        case .link(let name, let folder, let newName, let newFolder):
            try files.link(name, in: slots[folder], to: newName, in: slots[newFolder])
        case .removeFile(let name, let folder):
            try files.removeFile(name, in: slots[folder])
        case .removeFolder(let name, let folder):
            try files.removeFolder(name, in: slots[folder])
        case .removeTree(let name, let folder):
            try files.removeTree(name, in: slots[folder])
        }
        return ""
    }

    /// The part of a status that must be the same on every file system.
    ///
    /// Not the number of the inode, but which slots have the same one; not the size and the link
    /// count of a folder, but whether it is removed.
    private func describe(_ found: FileStatus) throws -> String {
        let same = try slots.indices.filter {
            try files.status(of: slots[$0]).identity == found.identity
        }
        let mode = String(found.mode, radix: 8)
        guard found.kind == .file else {
            return "\(found.kind) \(mode) \(found.linkCount == 0 ? "removed" : "") \(same)"
        }
        return "file \(mode) \(found.linkCount) links \(found.size) bytes \(same)"
    }

    /// Every name in the first folder and below it, with its description, in order.
    func tree() throws -> [String] { try tree(of: slots[0], path: "") }

    private func tree(of folder: Handle, path: String) throws -> [String] {
        try files.list(folder).sorted { $0.string < $1.string }.flatMap { name in
            guard let found = try files.status(of: name, in: folder) else {
                return ["\(path)\(name) is listed but missing"]
            }
            let line = try "\(path)\(name) \(describe(found))"
            guard found.kind == .folder else {
                return ["\(line) \(try files.text(name, in: folder) ?? "missing")"]
            }
            let inner = try files.openFolder(name, in: folder)
            return [line] + (try tree(of: inner, path: "\(path)\(name)/"))
        }
    }
}
