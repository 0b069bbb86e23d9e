import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Handles of one index in one process share one collection.
@Suite(.timeLimit(.minutes(30))) struct SharingTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes(_ path: String = "") throws -> Directory<Note> {
        try Directory(at: sandbox.url(path), index: "notes.json")
    }

    private func projects() throws -> Directory<Project> {
        try Directory(at: sandbox.url, index: "projects.json")
    }

    /// Expects that a change of each handle is visible in the other without a load.
    private func expectShared(
        _ first: Directory<Note>, _ second: Directory<Note>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        try first.load()
        try first.append(Note(id: first.count + 1, title: "x"))
        #expect(Array(second.items) == Array(first.items), sourceLocation: sourceLocation)
        try second.append(Note(id: first.count + 1, title: "y"))
        #expect(Array(second.items) == Array(first.items), sourceLocation: sourceLocation)
    }

    @Test func handlesOfOneIndexShareTheirItems() throws {
        try expectShared(notes(), notes())
    }

    @Test func handlesOpenedBeforeTheFolderExistsShareTheirItems() throws {
        let (first, second) = (try notes("a/b"), try notes("a/b"))
        try expectShared(first, second)
        try expectShared(second, notes("a/b"))
    }

    @Test func handlesOpenedWhileOthersMakeTheFolderShareTheirItems() throws {
        let first = try notes("a/b/c")
        try sandbox.makeFolder("a")
        let second = try notes("a/b/c")
        try sandbox.makeFolder("a/b/c")
        let third = try notes("a/b/c")
        try expectShared(third, first)
        try expectShared(second, third)
    }

    @Test func handlesOpenedThroughALinkShareTheirItems() throws {
        try sandbox.makeFolder("real/folder")
        try sandbox.makeSymbolicLink("link", to: sandbox.url("real"))
        try expectShared(notes("real/folder"), notes("link/folder"))
        try expectShared(notes("real/new"), notes("link/new"))
        try expectShared(notes("real/folder"), notes("real/../link/./folder/"))
    }

    @Test(arguments: [true, false])
    func newHandleWorksAfterItsFolderWasRemoved(_ isMadeAgain: Bool) throws {
        let old = try notes("a")
        try old.append(.eggs)
        try sandbox.remove("a")
        if isMadeAgain { try sandbox.makeFolder("a") }
        let new = try notes("a")
        try new.append(.milk)
        #expect(Array(new.items) == [.milk])
    }

    @Test func childOfANewItemIsNeverThatOfARemovedItem() throws {
        let projects = try projects()
        let old = Project(title: "old")
        try projects.append(old)
        let oldNotes = try projects.child(.notes, of: old.id)
        try oldNotes.append(.eggs)
        try projects.remove(id: old.id)
        try projects.checkpoint()
        // File systems give the inode number of the removed folder to one of the new folders.
        let new = (0..<20).map { Project(title: "\($0)") }
        try projects.append(contentsOf: new)
        for project in new {
            let newNotes = try projects.child(.notes, of: project.id)
            #expect(newNotes.isEmpty)
            expectError(.containerRemoved) { try oldNotes.append(.salt) }
            try newNotes.append(.milk)
            #expect(Array(newNotes.items) == [.milk])
        }
        #expect(Array(oldNotes.items) == [.eggs])
    }

    @Test func handlesByPathAndByItemShareTheirItems() throws {
        let projects = try projects()
        let project = Project(title: "Apollo")
        try projects.append(project)
        let child = try projects.child(.notes, of: project.id)
        let byPath = try notes("Project_Apollo")
        try expectShared(child, byPath)
        try projects.update(id: project.id) { $0.title = "Gemini" }
        try expectShared(child, byPath)
        try expectShared(child, notes("Project_Gemini"))
        try expectShared(byPath, projects.child(.notes, of: project.id))
    }

    @Test func movedFolderOpensThroughItsNewPathOnly() throws {
        let first = try notes("a")
        try first.append(.eggs)
        try sandbox.move("a", to: "b")
        let second = try notes("b")
        try second.append(.milk)
        #expect(Array(second.items) == [.eggs, .milk])
        expectError(.containerRemoved) { try first.append(.salt) }
        #expect(!sandbox.exists("a"))
    }

    @Test func handlesOfOtherIndexesAndFoldersShareNothing() throws {
        let first = try notes()
        try first.append(.eggs)
        #expect(try notes("a").isEmpty)
        #expect(try Directory<Note>(at: sandbox.url, index: "more.json").isEmpty)
    }

    @Test func indexIsReadAgainAfterAllHandlesWereReleased() throws {
        try notes().append(.eggs)
        let notes = try notes()
        #expect(notes.phase == .idle)
        #expect(notes.isEmpty)
        #expect(try Array(notes.loaded()) == [.eggs])
    }

    @Test func appendsOfManyThreadsAreAllKept() throws {
        DispatchQueue.concurrentPerform(iterations: 8) { thread in
            do {
                let notes = try notes("a")
                for id in 0..<8 { try notes.append(Note(id: thread * 8 + id, title: "x")) }
            } catch {
                Issue.record(error)
            }
        }
        #expect(try Set(notes("a").loaded().map(\.id)) == Set(0..<64))
    }
}
