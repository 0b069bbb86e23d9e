import FileSystem
import Foundation
import TestSupport

/// The file systems that must behave alike.
enum Conformer: CaseIterable {
    case local
    case memory

    /// Runs `body` with the file system and an empty folder in it that no other test uses.
    func withFolder<Result>(_ body: (any FileSystem, Handle) throws -> Result) throws -> Result {
        switch self {
        case .local:
            let temporary = try TemporaryFolder()
            return try withExtendedLifetime(temporary) {
                let path = temporary.url.path(percentEncoded: false)
                return try run(body, on: LocalFileSystem(), at: path)
            }
        case .memory: return try run(body, on: MemoryFileSystem(), at: "/")
        }
    }

    private func run<Result>(
        _ body: (any FileSystem, Handle) throws -> Result, on files: any FileSystem, at path: String
    ) throws -> Result {
        let top = try files.openFolder(at: path)
        return try body(files, files.openOrMakeFolder("work", in: top, mode: 0o700))
    }
}

extension FileSystem {
    /// Makes the file `name` with `text`.
    @discardableResult
    func put(_ text: String, as name: FileName, in folder: Handle) throws -> Handle {
        let file = try openFile(name, in: folder, for: .create(mode: 0o600))
        try write(Array(text.utf8), to: file, at: 0)
        return file
    }

    /// Makes the folder `name` and opens it.
    func putFolder(_ name: FileName, in folder: Handle) throws -> Handle {
        try makeFolder(name, in: folder, mode: 0o700)
        return try openFolder(name, in: folder)
    }

    /// The text in the file `name`, nil if it does not exist.
    func text(_ name: FileName, in folder: Handle) throws -> String? {
        try readAll(name, in: folder).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text in an open file.
    func text(of file: Handle) throws -> String {
        String(decoding: try readAll(file), as: UTF8.self)
    }

    /// The names in a folder, in order.
    func names(in folder: Handle) throws -> [String] { try list(folder).map(\.string).sorted() }

    /// The bytes of one read of up to `count` bytes at `offset`.
    func read(_ file: Handle, at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
            done = try read(file, at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }
}
