import Directory
package import FileSystem
package import Foundation
import TestSupport
import Testing

/// A temporary folder of one test, and what the test does there without the library.
///
/// All paths are relative to the folder.
package struct Sandbox: Sendable {
    private let temporary: TemporaryFolder
    package var url: URL { temporary.url }

    package init() throws { temporary = try TemporaryFolder() }

    package func url(_ path: String) -> URL { url.appending(path: path) }

    package func bytes(_ path: String) throws -> Data { try Data(contentsOf: url(path)) }

    package func text(_ path: String) throws -> String {
        String(decoding: try bytes(path), as: UTF8.self)
    }

    /// Whether there is something at `path`; symbolic links are not followed.
    package func exists(_ path: String) -> Bool { status(path) != nil }

    package func mode(_ path: String) -> UInt16? { status(path)?.mode }

    package func status(_ path: String) -> FileStatus? {
        let files = LocalFileSystem()
        guard
            let name = FileName(url(path).lastPathComponent),
            let folder = try? files.openFolder(at: url(path).deletingLastPathComponent().path)
        else { return nil }
        return (try? files.status(of: name, in: folder)) ?? nil
    }
}

extension Sandbox {
    @discardableResult
    package func makeFolder(_ path: String) throws -> URL {
        try FileManager.default.createDirectory(at: url(path), withIntermediateDirectories: true)
        return url(path)
    }

    /// Writes a file in place, as an editor does, and makes missing folders above it.
    @discardableResult
    package func write(_ text: String, to path: String) throws -> URL {
        try write(Data(text.utf8), to: path)
    }

    /// Writes a file in place, and makes missing folders above it.
    @discardableResult
    package func write(_ bytes: Data, to path: String) throws -> URL {
        try makeParent(of: path)
        try bytes.write(to: url(path))
        return url(path)
    }

    package func remove(_ path: String) throws { try FileManager.default.removeItem(at: url(path)) }

    /// Copies a file or a folder, and makes the folders above the copy.
    package func copy(_ path: String, to newPath: String) throws {
        let copy = url(newPath)
        try FileManager.default.createDirectory(
            at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
        try FileManager.default.copyItem(at: url(path), to: copy)
    }

    package func move(_ path: String, to newPath: String) throws {
        try FileManager.default.moveItem(at: url(path), to: url(newPath))
    }

    /// Gives a file a second name, and makes missing folders above it.
    package func makeHardLink(_ path: String, to file: String) throws {
        try makeParent(of: path)
        try FileManager.default.linkItem(at: url(file), to: url(path))
    }

    @discardableResult
    package func makeSymbolicLink(_ path: String, to target: URL) throws -> URL {
        try FileManager.default.createSymbolicLink(at: url(path), withDestinationURL: target)
        return url(path)
    }

    /// Makes a pipe; a process that opens it waits until another process does.
    @discardableResult
    package func makePipe(_ path: String) throws -> URL {
        try #require(mkfifo(url(path).path, 0o600) == 0)
        return url(path)
    }

    /// Makes a socket that nobody listens to.
    package func makeSocket(_ path: String) throws -> URL {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(url(path).path.utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        let descriptor = socket(AF_UNIX, kind, 0)
        defer { close(descriptor) }
        let result = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0)
        return url(path)
    }

    package func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: url(path).path)
    }

    /// Sets the modification date of a file or folder to `age` seconds ago, rounded down to a whole second.
    package func setAge(_ age: TimeInterval, of path: String) throws {
        try FileManager.default.setAge(age, ofItemAtPath: url(path).path)
    }

    private func makeParent(of path: String) throws {
        try FileManager.default.createDirectory(
            at: url(path).deletingLastPathComponent(), withIntermediateDirectories: true)
    }
}

extension Sandbox {
    /// A file or folder without its dates.
    package enum Entry: Hashable {
        case file(Data, mode: UInt16)
        case folder(mode: UInt16)
        case link(to: String)
        case other
    }

    /// The paths of all files and folders, sorted.
    package func paths() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: url.path).sorted()
    }

    /// All files and folders below `path`, by their paths in it.
    package func tree(_ path: String = "") throws -> [String: Entry] {
        let root = url(path)
        let paths = try FileManager.default.subpathsOfDirectory(atPath: root.path)
        return try paths.reduce(into: [:]) { tree, inner in
            let full = path.isEmpty ? inner : "\(path)/\(inner)"
            guard let found = status(full) else { return }
            switch found.kind {
            case .file: tree[inner] = .file(try bytes(full), mode: found.mode)
            case .folder: tree[inner] = .folder(mode: found.mode)
            case .symbolicLink:
                tree[inner] = .link(
                    to: try FileManager.default.destinationOfSymbolicLink(atPath: url(full).path))
            case .other: tree[inner] = .other
            }
        }
    }

    /// The contents of all files below `path`.
    package func contents(_ path: String = "") throws -> Set<Data> {
        Set(
            try tree(path).values.compactMap { entry in
                if case .file(let bytes, _) = entry { bytes } else { nil }
            })
    }

    /// Makes all stages, and all that waits in the trash, that of a process that has ended.
    package func buryOwners() throws {
        for path in try tree().keys where path.contains("owner.") {
            let words = path.split(separator: ".", omittingEmptySubsequences: false)
            try move(path, to: "\(words.dropLast(2).joined(separator: ".")).2147483647.1")
        }
    }

    /// The paths of what transactions and commits have left unfinished below `path`.
    ///
    /// Not the file of a checkpoint that goes on: the journal of a small index is written into it in the background.
    package func leftovers(_ path: String = "") throws -> [String] {
        var left = try unfinished(path)
        for _ in 0..<20 where left.contains(where: { $0.hasSuffix(".tmp") }) {
            Thread.sleep(forTimeInterval: 0.025)
            left = try unfinished(path).filter(left.contains)
        }
        return left
    }

    /// The paths of what belongs to transactions and commits below `path` now.
    func unfinished(_ path: String) throws -> [String] {
        try tree(path).keys.filter { path in
            path.contains(".staging") || path.contains(".trash") || path.hasSuffix(".tmp")
        }.sorted()
    }
}
