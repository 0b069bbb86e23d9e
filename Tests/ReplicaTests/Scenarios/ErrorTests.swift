import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Errors of a replica are errors of its library, and name the folder that is at fault.
@Suite struct ErrorTests {
    private let disk = MemoryFileSystem()
    private let store = URL(filePath: "/app/store", directoryHint: .isDirectory)
    private var index: URL { store.appending(path: "projects.json") }

    @discardableResult
    private func replica(in shared: String, on process: (any FileSystem)? = nil) throws -> Replica {
        let process = process ?? disk
        let projects = try Directory<Project>(at: store, index: "projects.json", on: process)
        return try Replica(
            root: projects, in: URL(filePath: shared, directoryHint: .isDirectory), on: process,
            children: [], options: .init(), environment: TestClock().environment(seed: 1))
    }

    /// Expects a ``ReplicaError`` with this code, URL and text for people.
    @discardableResult
    private func expectError(
        _ code: ReplicaError.Code, at path: String, _ text: String,
        sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) -> ReplicaError? {
        let error = #expect(
            throws: ReplicaError.self, sourceLocation: sourceLocation, performing: body)
        guard let error else { return nil }
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.url.path == path, sourceLocation: sourceLocation)
        #expect(error.localizedDescription == text, sourceLocation: sourceLocation)
        #expect(error.recoverySuggestion != nil, sourceLocation: sourceLocation)
        return error
    }

    private let isFile =
        "Cannot sync: the shared folder is a file, or it and the folder of the app are in each other."

    @Test(arguments: ["/file", "/file/shared", "/file/deep/shared"])
    func aSharedFolderThatIsAFileIsRefused(_ path: String) throws {
        let root = try disk.openFolder(at: "/")
        _ = try disk.openFile("file", in: root, for: .create(mode: 0o644))
        let error = expectError(.invalidLocation, at: path, isFile) { try replica(in: path) }
        #expect(error?.description.contains("take a folder") == true)
    }

    @Test func aSharedFolderThatIsADeviceFileIsRefused() throws {
        let folder = try TemporaryFolder()
        let projects = try Directory<Project>(
            at: folder.url.appending(path: "store"), index: "projects.json")
        for path in ["/dev/null", "/dev/null/shared"] {
            expectError(.invalidLocation, at: path, isFile) {
                _ = try Replica(
                    of: projects, in: URL(filePath: path), children: [Child.photos.replicated()])
            }
        }
    }

    @Test func aSharedFolderThatBecomesAFileIsRefused() throws {
        let replica = try replica(in: "/shared")
        let root = try disk.openFolder(at: "/")
        _ = try disk.openFile("shared", in: root, for: .create(mode: 0o644))
        expectError(.invalidLocation, at: "/shared", isFile) { try replica.sync() }
    }

    @Test func aFolderThatCannotBeOpenedIsNamed() throws {
        try replica(in: "/shared").sync()
        for (call, named, name) in [
            ("open /shared", "/shared", "shared"),
            ("resolve /app/store", index.path, "projects"),
        ] {
            let process = ProcessFileSystem(disk) { _, line in
                line == call ? .fails(.accessDenied) : .works
            }
            expectError(
                .ioFailure, at: named, "Cannot sync “\(name)”: a permission is missing."
            ) { try self.replica(in: "/shared", on: process) }
        }
    }

    /// The app may have its store on another volume than the shared folder.
    @Test(arguments: ["/app/store", "/shared"])
    func aReadOnlyFolderIsNamed(_ path: String) throws {
        try replica(in: "/shared").sync()
        let process = ProcessFileSystem(disk, readOnlyBelow: path)
        let projects = try Directory<Project>(at: store, index: "projects.json", on: disk)
        try projects.append(Project("Apollo"))
        let isStore = path == "/app/store"
        let error = expectError(
            .ioFailure, at: isStore ? index.path : path,
            "Cannot sync “\(isStore ? "projects" : "shared")”: the volume is read-only."
        ) { try self.replica(in: "/shared", on: process).sync() }
        let description = try #require(error?.description)
        #expect(description.contains(path + "/"), "\(description)")
        #expect(description.contains("Use a volume that can be written to"), "\(description)")
    }

    #if os(Linux)
        /// A program that ran once as root locks the user out of the store alone.
        @Test(.enabled(if: geteuid() == 0)) func aStoreOfAnotherUserSaysWhoOwnsIt() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let store = folder.url.appending(path: "store")
                let shared = folder.url.appending(path: "shared")
                for (url, mode) in [(folder.url, 0o755), (store, 0o755), (shared, 0o777)] {
                    try FileManager.default.createDirectory(
                        at: url, withIntermediateDirectories: true)
                    try #require(chmod(url.path, mode_t(mode)) == 0)
                }
                do {
                    let projects = try Directory<Project>(at: store, index: "projects.json")
                    try projects.append(Project("Apollo"))
                    try projects.close()
                }
                for name in try FileManager.default.contentsOfDirectory(atPath: store.path) {
                    try #require(chmod(store.appending(path: name).path, 0o666) == 0)
                }
                try #require(seteuid(65_534) == 0)
                // Its folder is removed by root.
                defer { withExtendedLifetime(folder) { _ = seteuid(0) } }
                let projects = try Directory<Project>(at: store, index: "projects.json")
                let error = #expect(throws: ReplicaError.self) {
                    try Replica(of: projects, in: shared).sync()
                }
                let description = try #require(error?.description)
                #expect(description.contains("belongs to the user root"), "\(description)")
                #expect(description.contains("chown"), "\(description)")
                let text = try #require(error?.localizedDescription)
                #expect(text.contains("“projects”") && text.contains("another user"), "\(text)")
            }
        }
    #endif

    /// The change comes between the look at a collection and the import into it, each time.
    @Test func aConflictOfCollectionsThatChangeAllTheTimeIsBusy() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try settle(devices, carrier)
        for device in devices {
            try device.projects.update(id: apollo.id) { $0.title = device.name }
        }
        try b.sync()
        try carrier.carry(from: b, to: a)
        try a.sync()
        let conflict = try #require(a.replica.conflicts.first)
        try b.projects.append(Project("Gemini"))
        try b.sync()
        try carrier.carry(from: b, to: a)
        let other = try Directory<Project>(
            at: a.store, index: "projects.json", on: ProcessFileSystem(a.disk))
        try a.restart { _, call in
            // The state is saved after the look.
            if call.hasPrefix("write "), call.hasSuffix(".projects.replica") {
                try? other.append(Project("\(UUID())"))
            }
            return .works
        }
        let error = #expect(throws: ReplicaError.self) {
            try a.replica.resolve(conflict, keeping: conflict.values[0])
        }
        #expect(error?.code == .busy)
    }
}
