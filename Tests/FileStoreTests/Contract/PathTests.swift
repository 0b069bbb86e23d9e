import FileStore
import FileSystem
import Foundation
import TestSupport
import Testing

struct PathTests {
    static let hostilePaths: [String] =
        [
            "", "/", "//", ".", "..", "./", "../", "/.", "/..", "./.", "../..", "../../..",
            "/etc/passwd", "//etc/passwd", "/../etc/passwd", "../etc/passwd", "..//a",
            "../outside", "../outside/secret", "../store", "../store/a", "a/../../outside/secret",
            "a/..", "a/../", "a/../b", "a/../..", "a/../../..", "a/b/../../..", "a/b/../../../x",
            "./a", "a/.", "a/./b", "a/./", "././a", "a//b", "a/", "a//", "//a", "a/b/", "a/b//c",
            "\0", "a\0", "\0a", "a\0b", "a/\0", "\0/a", "a/b\0", "..\0", "../\0", "\0/../a",
            "secret\0.jpg", "file:///etc/passwd", "file://a", "~/../a", "a/~/../..",
            "\u{FEFF}/../a", "👩‍👩‍👧/../..", "\u{202E}/./a", "\n/../a", "a/\r\n/..", "..\u{0}/a",
            String(repeating: "x", count: 256), "a/" + String(repeating: "x", count: 256),
            String(repeating: "x", count: 256) + "/a", String(repeating: "ä", count: 128),
            String(repeating: "👩‍👩‍👧", count: 15),
            String(repeating: "../", count: 50) + "etc/passwd",
            String(repeating: "a/", count: 64) + "a", String(repeating: "a/", count: 5_000) + "a",
            String(repeating: "/", count: 255), String(repeating: "x", count: 100_000),
            Array(repeating: String(repeating: "x", count: 250), count: 5).joined(separator: "/"),
            ".filestore-0123456789abcdef0123456789abcdef",
            "a/.filestore-0123456789abcdef0123456789abcdef",
            ".filestore-0123456789abcdef0123456789abcdef/a",
        ]

    @Test func thereAreEnoughHostilePaths() {
        #expect(Set(Self.hostilePaths).count == Self.hostilePaths.count)
        #expect(Self.hostilePaths.count >= 60)
    }

    @Test(arguments: StoreKind.allCases, Sweep.cases(hostilePaths, sample: 15))
    func hostilePathsAreRefused(_ kind: StoreKind, _ path: String) async throws {
        let test = try TestStore(kind)
        let (store, source) = (test.store, try test.source("source"))
        try await store.save("text", to: "b/c")
        await store.expectInvalid(path, source: source)
        #expect(!store.exists(path))
        #expect(store.url(for: path).path.hasPrefix("/dev/null/"))
        #expect(!store.url(for: path).path.contains(".."))
        #expect(try await store.paths() == ["b", "b/c"])
        #expect(try String(contentsOf: source, encoding: .utf8) == "source")
    }

    @Test(arguments: ["", ".", "..", "a/b", "/", "../a", "a\0b"])
    func storeWithAnInvalidNamespaceRefusesEveryCall(_ namespace: String) async throws {
        let store = DiskFileStore(directory: .caches, namespace: namespace)
        await #expect { try await store.save("x", to: "a") } throws: {
            FileStoreError.isInvalidPath($0)
        }
        await #expect { try await store.list() } throws: { FileStoreError.isInvalidPath($0) }
        await #expect { try await store.deleteAll() } throws: { FileStoreError.isInvalidPath($0) }
        #expect(!store.exists("a"))
        #expect(store.url(for: "a").path == "/dev/null/a")
    }

    @Test func namespaceIsAFolderInItsBaseDirectory() {
        let places: [(DiskFileStore.BaseDirectory, FileManager.SearchPathDirectory)] = [
            (.documents, .documentDirectory), (.caches, .cachesDirectory),
            (.applicationSupport, .applicationSupportDirectory),
        ]
        for (directory, place) in places {
            let expected = FileManager.default.urls(for: place, in: .userDomainMask)[0]
                .appending(path: "photos/a/b.jpg").path
            let store = DiskFileStore(directory: directory, namespace: "photos")
            #expect(store.url(for: "a/b.jpg").path == expected)
        }
    }

    #if os(Linux)
        /// As xdg-user-dirs writes it.
        @Test func documentsCanBeElsewhereInTheHome() async {
            await #expect(processExitsWith: .success) {
                let home = try TemporaryFolder()
                try Data(#"XDG_DOCUMENTS_DIR="$HOME/Papers""#.utf8).write(
                    to: home.url.appending(path: "user-dirs.dirs"))
                setenv("HOME", home.url.path, 1)
                setenv("XDG_CONFIG_HOME", home.url.path, 1)
                let store = DiskFileStore(directory: .documents, namespace: "photos")
                try await store.save("1", to: "a")
                #expect(try home.url.appending(path: "Papers/photos/a").checkResourceIsReachable())
            }
        }
    #endif

    @Test func namespacesAreIsolated() async throws {
        let temporary = try TemporaryFolder()
        let (one, two) = (
            DiskFileStore(at: temporary.url.appending(path: "one")),
            DiskFileStore(at: temporary.url.appending(path: "two"))
        )
        try await one.save("1", to: "a")
        try await two.save("2", to: "a")
        try await one.deleteAll()
        #expect(try await two.text("a") == "2")
    }
}
