import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What a process sees of the changes of another process that it has not read yet.
struct OtherProcessTests {
    let disk = MemoryFileSystem()
    let folder = URL(filePath: "/store", directoryHint: .isDirectory)

    private func boxes() throws -> Directory<Box> {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        return try Directory(
            at: folder, index: "boxes.json", options: options, on: ProcessFileSystem(disk))
    }

    private var names: [String] {
        get throws { try disk.list(disk.openFolder(at: "/store")).map(\.string) }
    }

    @Test func itemsArePublishedBeforeTheClosureOfAFirstWrite() throws {
        try boxes().append(Box(id: 1, folderName: "One"))
        let other = try boxes()
        let inside = try other.write { draft in
            (draft.items.count, other.count, try other.folder(of: 1).lastPathComponent)
        }
        #expect(inside == (1, 1, "One"))
        #expect(other.phase == .loaded)
    }

    @Test func childOfARenamedItemIsInItsNewFolder() throws {
        let (first, second) = (try boxes(), try boxes())
        try first.append(Box(id: 1, folderName: "One"))
        try first.child(Child<Note>("notes"), of: 1).append(.milk)
        try second.load()
        try first.update(id: 1) { $0.folderName = "Uno" }
        let notes = try second.child(Child<Note>("notes"), of: 1)
        try notes.load()
        #expect(Array(notes.items) == [.milk])
        #expect(try !names.contains("One"))
    }

    @Test func childOfARemovedItemIsAnErrorAndMakesNoFolder() throws {
        let (first, second) = (try boxes(), try boxes())
        try first.append(Box(id: 1, folderName: "One"))
        try second.load()
        try first.remove(id: 1)
        try first.checkpoint()
        expectError(.itemNotFound) { try second.child(Child<Note>("notes"), of: 1) }
        #expect(try !names.contains("One"))
    }
}
