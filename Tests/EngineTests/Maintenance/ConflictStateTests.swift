import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// The collection in memory after a conflict was resolved.
struct ConflictStateTests {
    let disk = MemoryFileSystem()
    let folder = URL(filePath: "/store", directoryHint: .isDirectory)

    private func open<Item>(_ index: String, on fileSystem: (any FileSystem)? = nil) throws
        -> Directory<Item>
    {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        return try Directory(
            at: folder, index: index, options: options,
            on: fileSystem ?? ProcessFileSystem(disk))
    }

    private func write(_ text: String, to name: FileName) throws {
        let file = try disk.openFile(name, in: disk.openFolder(at: "/store"), for: .update)
        try disk.truncate(file, to: 0)
        try disk.write(Array(text.utf8), to: file, at: 0)
    }

    @Test func itemsOwnTheirFoldersAfterTheJournalIsKept() throws {
        let boxes: Directory<Box> = try open("boxes.json")
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.append(Box(id: 2, folderName: "Two"))
        try boxes.child(Child<Note>("notes"), of: 1).append(.milk)
        try write(#"[{"id":1,"folderName":"One"} ]"#, to: "boxes.json")
        try boxes.resolveConflict(keeping: .journal)
        #expect(boxes.items.map(\.id) == [1, 2])
        let notes = try boxes.child(Child<Note>("notes"), of: 1)
        try notes.load()
        #expect(Array(notes.items) == [.milk])
        #expect(try boxes.verify() == [])
        try boxes.remove(id: 1)
        try boxes.checkpoint()
        #expect(try disk.status(of: "One", in: disk.openFolder(at: "/store")) == nil)
    }

    @Test func damagedLineAfterAnItemThatTheJournalRemovesIsKept() throws {
        let process = ProcessFileSystem(disk)
        do {
            let notes: Directory<Note> = try open("notes.json", on: process)
            try notes.append(contentsOf: [.eggs, .milk])
            try notes.remove(id: Note.milk.id)
            process.kill()
        }
        let (eggs, milk) = (Note.eggs, Note.milk)
        try write(
            """
            [
            {"id":\(eggs.id),"title":"\(eggs.title)"},
            {"id":\(milk.id),"title":"\(milk.title)"},
            {"bad":1}
            ]

            """, to: "notes.json")
        let reopened: Directory<Note> = try open("notes.json")
        try reopened.resolveConflict(keeping: .journal)
        #expect(Array(reopened.items) == [.eggs])
        #expect(reopened.damagedItems.map(\.json) == [#"{"bad":1}"#])
    }

    @Test func repairOfADamagedLineStreamsNoEmptyChange() async throws {
        let notes: Directory<Note> = try open("notes.json")
        try repairDamagedLine(of: notes)
        var changes = notes.changes.makeAsyncIterator()
        try repairDamagedLine(of: notes)
        try await notes.append(.milk)
        #expect(await changes.next()?.inserted == [Note.milk.id])
    }

    private func repairDamagedLine(of notes: Directory<Note>) throws {
        if notes.isEmpty { try notes.append(.eggs) }
        try notes.checkpoint()
        try write(
            "[\n{\"id\":\(Note.eggs.id),\"title\":\"\(Note.eggs.title)\"},\n{\"bad\":1}\n]\n",
            to: "notes.json")
        try notes.load()
        #expect(try notes.repair().count == 1)
    }
}
