import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Stores that earlier versions of the library wrote.
@Suite(.serialized) struct GoldenStoreTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Makes the stores that are missing with `GOLDEN=make`.
    @Test(
        .enabled(if: ProcessInfo.processInfo.environment["GOLDEN"] == "make"),
        arguments: GoldenStore.allCases)
    func missingStoreIsMade(_ golden: GoldenStore) throws { try golden.make() }

    private func copy(_ golden: GoldenStore) throws -> URL {
        let store = sandbox.url("store")
        try golden.copy(to: store)
        return store
    }

    @Test(arguments: Sweep.cases(GoldenStore.allCases, sample: 4)) func storeHoldsWhatWasWritten(
        _ golden: GoldenStore
    )
        throws
    {
        let store = try copy(golden)
        let expected = try golden.expected() as NSDictionary
        #expect(expected.count > 0)
        #expect(try Contents.of(store) as NSDictionary == expected)
        #expect(try Contents.of(store) as NSDictionary == expected)
        #expect(try findings(store).isEmpty)
        #expect(try sandbox.leftovers("store").filter { !$0.hasSuffix(".tmp") }.isEmpty)
    }

    /// A copy that was made while somebody changed a collection in a container has that change unfinished.
    @Test(arguments: Sweep.cases(GoldenStore.allCases.filter { $0.isOfProjects }, sample: 3))
    func anotherStoreIsRestoredFromIt(_ golden: GoldenStore) throws {
        let copy = try copy(golden)
        let new = sandbox.url("new")
        let projects = try Directory<Project>(at: new, index: "projects.json")
        try projects.restore(from: copy)
        #expect(try Contents.of(new) as NSDictionary == golden.expected() as NSDictionary)
        #expect(try findings(new).isEmpty)
    }

    /// A process that cannot write shows what recovery would leave, and copies it.
    @Test(arguments: Sweep.cases(GoldenStore.allCases.filter { $0.isOfProjects }, sample: 3))
    func storeIsReadWhereNothingCanBeWritten(_ golden: GoldenStore) throws {
        let store = try copy(golden)
        let expected = try golden.expected()
        let process = ProcessFileSystem(
            LocalFileSystem(), readOnlyBelow: store.path(percentEncoded: false))
        let projects = try Directory<Project>(at: store, index: "projects.json", on: process)
        try projects.load()
        let lines = try #require(expected["projects.json"] as? [[String: Any]])
        #expect(projects.items.map(\.title) == lines.map { $0["title"] as? String })
        // A copy of one of two collections cannot end a change of both.
        if expected.keys.contains(where: { $0.hasPrefix(GoldenStore.others) }) { return }
        let copied = sandbox.url("copied")
        try projects.copy(to: copied)
        #expect(try Contents.of(copied) as NSDictionary == expected as NSDictionary)
        #expect(try findings(copied).isEmpty)
    }

    /// Another machine may still go on with what it began; `repair()` ends it.
    @Test(arguments: [GoldenStore.treeBegun, .treeCommitted, .treeHalfCommitted])
    func whatAnotherMachineBeganWaits(_ golden: GoldenStore) throws {
        let store = sandbox.url("store")
        try FileManager.default.copyItem(at: golden.url, to: store)
        let projects = try Directory<Project>(at: store, index: "projects.json")
        let notes = try Directory<Note>(
            at: store.appending(path: "Project_Gemini"), index: "notes.json")
        try projects.load()
        // The first refusal has ended nothing.
        for _ in 1...2 {
            expectError(.locked) { try projects.write { _ in } }
            if golden != .treeHalfCommitted { expectError(.locked) { try notes.write { _ in } } }
        }
        _ = try projects.repair()
        _ = try notes.repair()
        try projects.write { _ in }
        try notes.write { _ in }
    }

    @Test func removedItemsComeBack() throws {
        let store = try copy(.removed)
        let projects = try Directory<Project>(at: store, index: "projects.json")
        let removed = try projects.recentlyRemoved()
        #expect(removed.map(\.item.title) == ["Gemini"])
        try projects.bring(back: removed.map(\.id))
        let photos = try projects.child(.photos, of: projects.items[1].id)
        try photos.load()
        #expect(photos.count == 2)
        #expect(try photos.verify().isEmpty)
        let apollo = try projects.child(.photos, of: projects.items[0].id)
        try apollo.bring(back: apollo.recentlyRemoved().map(\.id))
        try apollo.load()
        #expect(apollo.count == 2)
        #expect(try apollo.verify().isEmpty)
    }

    @Test(arguments: Sweep.cases(GoldenStore.allCases, sample: 3))
    func storeCanBeChanged(_ golden: GoldenStore) throws {
        let store = try copy(golden)
        if golden.expected(has: "notes.json") {
            let notes = try Directory<Note>(at: store, index: "notes.json")
            try notes.append(Note(id: 77, title: "New"))
            try notes.remove(id: notes.items[0].id)
        } else {
            let projects = try Directory<Project>(at: store, index: "projects.json")
            let vega = Project(title: "Vega")
            try projects.append(vega)
            try projects.child(.notes, of: vega.id).append(.eggs)
            try projects.update(id: projects.items[0].id) { $0.title = "Sputnik" }
            #expect(try projects.child(.photos, of: projects.items[0].id).verify().isEmpty)
        }
        let changed = try Contents.of(store) as NSDictionary
        #expect(try changed != golden.expected() as NSDictionary)
        #expect(try findings(store).isEmpty)
    }

    private func findings(_ store: URL) throws -> [Finding] {
        if FileManager.default.fileExists(atPath: store.appending(path: "notes.json").path) {
            return try Directory<Note>(at: store, index: "notes.json").verify()
        }
        let projects = try Directory<Project>(at: store, index: "projects.json")
        try projects.checkpoint()
        return try projects.verify()
            + projects.items.flatMap { try projects.child(.photos, of: $0.id).verify() }
    }

    /// `Tests/reader/read_store.py` was written from the documentation of the format alone; it reads
    /// the store without recovery.
    @Test(
        .enabled(if: Python.isInstalled), arguments: Sweep.cases(GoldenStore.allCases, sample: 3))
    func readerInAnotherLanguageReadsTheSame(_ golden: GoldenStore) throws {
        let expected = try golden.expected()
        let output = try Python.run([golden.url.path] + expected.keys.sorted())
        let json = try JSONSerialization.jsonObject(with: output) as? NSDictionary
        #expect(json == expected as NSDictionary)
    }
}

extension GoldenStore {
    fileprivate var isOfProjects: Bool { expected(has: "projects.json") }

    /// Whether the store has this index.
    fileprivate func expected(has index: String) -> Bool {
        (try? expected()[index] != nil) ?? false
    }
}

private enum Python {
    static let isInstalled = (try? output(of: ["-c", "print(1)"])) != nil

    static func run(_ arguments: [String]) throws -> Data {
        let reader = Fixtures.repository.appending(path: "Tests/reader/read_store.py")
        return try output(of: [reader.path] + arguments)
    }

    private static func output(of arguments: [String]) throws -> Data {
        #if os(Linux) || os(macOS)
            let (process, pipe) = (Process(), Pipe())
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = ["python3"] + arguments
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw CocoaError(.executableLoad) }
            return output
        #else
            throw CocoaError(.featureUnsupported)
        #endif
    }
}
