import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Large collections whose last value was released a moment ago.
struct RecentCoresTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func open(_ options: DirectoryOptions = .init()) throws -> Directory<Note> {
        try Directory(at: sandbox.url, index: "notes.json", options: options)
    }

    /// The core of a collection of `count` items that was opened, changed and released.
    private func release(_ count: Int) throws -> Weak<Core> {
        let notes = try open()
        try notes.append(contentsOf: (1...count).map { Note(id: $0, title: "\($0)") })
        return Weak(value: notes.core)
    }

    private struct Weak<Value: AnyObject & Sendable>: Sendable { weak let value: Value? }

    @Test func largeCollectionStaysKnownForAMoment() async throws {
        let core = try release(4_000)
        try await open().append(Note(id: 0, title: ""))
        #expect(core.value != nil)
        #expect(try open().core === core.value)
        #expect(await eventually { core.value == nil })
        #expect(try open().loaded().count == 4_001)
        // The journal is in the index by now.
        #expect(try sandbox.notesOnDisk().count == 4_001)
    }

    /// What counts is how long it takes to read and write the index.
    @Test func collectionOfFewLargeItemsStaysKnownForAMoment() throws {
        let core = try {
            let notes = try open()
            let text = String(repeating: "long ", count: 5_000)
            try notes.append(contentsOf: (1...4).map { Note(id: $0, title: text) })
            return Weak(value: notes.core)
        }()
        #expect(core.value != nil)
        #expect(try open().core === core.value)
    }

    @Test func smallOrClosedCollectionIsForgottenAtOnce() throws {
        #expect(try release(10).value == nil)
        try sandbox.remove("notes.json")
        let closed = try {
            let notes = try open()
            try notes.append(contentsOf: (1...4_000).map { Note(id: $0, title: "") })
            try notes.close()
            return Weak(value: notes.core)
        }()
        #expect(closed.value == nil)
    }

    /// A child holds the collection of its container, although no value of that is left.
    @Test func collectionWithAnOpenChildKeepsItsOptions() throws {
        let child = try {
            let boxes = try sandbox.boxes()
            let filling = String(repeating: "x", count: 200)
            try boxes.append(
                contentsOf: (1...350).map { Box(id: $0, folderName: "Box \($0) \(filling)") })
            return try boxes.child(.notes, of: 1)
        }()
        // Only a large collection could stay known without the child.
        #expect(try sandbox.bytes("boxes.json").count > 1 << 16)
        expectError(.optionsDiffer) { try sandbox.boxes(options: .init(undoLimit: 3)) }
        try child.append(.eggs)
        #expect(try sandbox.boxes().notes(of: 1) == [.eggs])
    }

    @Test func otherOptionsTakeThePlaceOfWhatNobodyHasOpen() throws {
        let core = try release(4_000)
        let relaxed = try open(.init(undoLimit: 3))
        #expect(core.value !== relaxed.core)
        #expect(try relaxed.loaded().count == 4_000)
        expectError(.optionsDiffer) { try open() }
    }
}
