import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

/// The stores that must behave alike.
enum StoreKind: CaseIterable, Sendable { case disk, memory }

/// A new store, and a folder on disk beside it with files to copy and move.
struct TestStore {
    let store: any FileStoring
    let outside: URL
    private let temporary: TemporaryFolder

    init(_ kind: StoreKind) throws {
        temporary = try TemporaryFolder()
        outside = temporary.url.appending(path: "outside", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: false)
        switch kind {
        case .disk: store = DiskFileStore(at: temporary.url.appending(path: "new/store"))
        case .memory: store = InMemoryFileStore()
        }
    }

    /// Makes a file outside the store.
    func source(_ text: String) throws -> URL {
        let url = outside.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: url)
        return url
    }
}

extension FileStoring {
    func save(_ text: String, to path: String, overwrite: Bool = true) async throws {
        try await save(Data(text.utf8), to: path, overwrite: overwrite)
    }

    func text(_ path: String) async throws -> String {
        String(decoding: try await load(path), as: UTF8.self)
    }

    /// The paths in the store, in the order of the list.
    func paths(in directory: String? = nil, recursive: Bool = true) async throws -> [String] {
        try await list(in: directory, recursive: recursive).map(\.relativePath)
    }
}

extension FileSystem {
    /// Makes a new file with `text` in the folder at `path`, in place of an existing one.
    func put(_ text: String, as name: FileName, in path: String) throws {
        let folder = try openFolder(at: path)
        _ = try unlessMissing { try removeFile(name, in: folder) }
        try write(
            Array(text.utf8), to: openFile(name, in: folder, for: .create(mode: 0o600)), at: 0)
    }
}

extension FileStoreError {
    /// Whether `error` is that of an invalid path, for any reason.
    static func isInvalidPath(_ error: any Error) -> Bool {
        if case .invalidPath? = error as? FileStoreError { true } else { false }
    }
}

extension FileStoring {
    /// Expects every call to refuse `path`; `source` is a file to copy and move from.
    func expectInvalid(_ path: String, source: URL) async {
        let calls: [(String, () async throws -> Void)] = [
            ("save", { try await save("x", to: path) }),
            ("copy", { try await copy(from: source, to: path) }),
            ("move", { try await move(from: source, to: path) }),
            ("load", { _ = try await load(path) }),
            ("info", { _ = try info(for: path) }),
            ("size", { _ = try size(of: path) }),
            ("list", { _ = try await list(in: path) }),
            ("delete", { try await delete(path) }),
            ("deleteDirectory", { try await deleteDirectory(path) }),
            ("createDirectory", { try await createDirectory(path) }),
        ]
        for (name, call) in calls {
            await #expect("\(name)") { try await call() } throws: {
                FileStoreError.isInvalidPath($0)
            }
        }
    }
}
