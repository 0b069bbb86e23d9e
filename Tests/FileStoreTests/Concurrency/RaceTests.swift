import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

/// Between any two system calls of a store, a link to the outside takes the place of a folder.
struct RaceTests {
    /// Swaps the folder at `path`, or its rest while it is being deleted, for a link.
    private func swap(_ test: GuardedStore, _ path: String) throws {
        let files = FileManager.default
        let all = try files.subpathsOfDirectory(atPath: test.temporary.url.path).sorted()
        let found = all.first { $0 == "store/" + path } ?? all.first { $0.contains(".filestore-") }
        guard let found else { return }
        let folder = test.temporary.url.appending(path: found)
        try files.moveItem(at: folder, to: test.temporary.url.appending(path: "taken"))
        try files.createSymbolicLink(at: folder, withDestinationURL: test.outside)
    }

    /// Runs `call` on new stores, and swaps the folder before a different system call each time.
    private func forEachSwap(
        of path: String, _ call: (DiskFileStore, GuardedStore) async throws -> Void
    ) async throws {
        let calls = try await swap(path, beforeCall: .max, of: call)
        #expect(calls > 4)
        var sweep = Sweep(for: path)
        for step in sweep.numbers(below: calls, step: 1) {
            _ = try await swap(path, beforeCall: step, of: call)
        }
    }

    /// Runs `call` on a new store, and returns how many system calls that took.
    private func swap(
        _ path: String, beforeCall step: Int,
        of call: (DiskFileStore, GuardedStore) async throws -> Void
    ) async throws -> Int {
        let test = try GuardedStore()
        try test.makeFiles("a/file", "a/inner/file", "other")
        let racing = ProcessFileSystem(LocalFileSystem()) { number in
            #expect(throws: Never.self) { if number == step { try swap(test, path) } }
            return .works
        }
        do {
            try await call(DiskFileStore(at: test.root, on: racing), test)
        } catch is FileStoreError {
            // The store may refuse the link, or not see it.
        }
        #expect(try test.isUntouched(), "swapped before call \(step)")
        return racing.calls
    }

    @Test(arguments: Sweep.cases(["a", "a/inner"], sample: 1))
    func linkInPlaceOfAFolderIsNeverWrittenThrough(_ path: String) async throws {
        let file = path + "/file"
        try await forEachSwap(of: path) { store, _ in try await store.save("new", to: file) }
        try await forEachSwap(of: path) { store, _ in
            try await store.save("new", to: path + "/new/file", overwrite: false)
        }
        try await forEachSwap(of: path) { store, _ in
            try await store.copy(from: store.url(for: "other"), to: file)
        }
        try await forEachSwap(of: path) { store, _ in
            try await store.move(from: store.url(for: "other"), to: file)
        }
        try await forEachSwap(of: path) { store, _ in
            try await store.createDirectory(path + "/inner/new")
        }
    }

    @Test(arguments: Sweep.cases(["a", "a/inner"], sample: 1))
    func linkInPlaceOfAFolderIsNeverDeletedThrough(_ path: String) async throws {
        try await forEachSwap(of: path) { store, _ in try await store.delete(path + "/file") }
        try await forEachSwap(of: path) { store, _ in try await store.deleteDirectory(path) }
        try await forEachSwap(of: path) { store, _ in try await store.deleteAll() }
        try await forEachSwap(of: path) { store, _ in
            try await store.move(from: store.url(for: path + "/file"), to: "moved")
        }
    }

    @Test(arguments: Sweep.cases(["a", "a/inner"], sample: 1))
    func linkInPlaceOfAFolderIsNeverReadThrough(_ path: String) async throws {
        try await forEachSwap(of: path) { store, _ in
            let text = try await store.text(path + "/file")
            #expect(text == "mine")
        }
        try await forEachSwap(of: path) { store, _ in
            try await store.copy(from: store.url(for: path + "/file"), to: "copy")
            #expect(try await store.text("copy") == "mine")
        }
        try await forEachSwap(of: path) { store, test in
            for file in try await store.list(recursive: true) where !file.isDirectory {
                #expect(file.size == 4, "\(file)")
            }
            #expect(try await store.totalSize() <= 12)
        }
    }
}
