import DirectoryTestSupport
import Directory
import Dispatch
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

struct RenameRaceTests {
    private let folder = URL(filePath: "/store", directoryHint: .isDirectory)

    private func projects(on disk: any FileSystem) throws -> Directory<Project> {
        let projects = try Directory<Project>(at: folder, index: "projects.json", on: disk)
        try projects.load()
        return projects
    }

    @Test func changeWaitsWhileAnotherProcessRenamesTheContainer() throws {
        let disk = MemoryFileSystem()
        let project = Project(title: "Apollo")
        try projects(on: disk).append(project)
        let mine = try projects(on: ProcessFileSystem(disk))
        let notes = try mine.child(.notes, of: project.id)

        // Between any two of its calls there is time for changes.
        let slow = ProcessFileSystem(disk) { _ in
            Thread.sleep(forTimeInterval: 0.002)
            return .works
        }
        let others = try projects(on: slow)
        let isRenamed = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            // The expectation of the title below reports a failure.
            try? others.update(id: project.id) { $0.title = "Gemini" }
            isRenamed.signal()
        }
        var count = 0
        while isRenamed.wait(timeout: .now()) == .timedOut {
            count += 1
            try notes.append(Note(id: count, title: "Note"))
        }
        #expect(try projects(on: disk)[id: project.id]?.title == "Gemini")
        #expect(count > 1 && notes.count == count)
        #expect(notes.url.path == "/store/Project_Gemini/notes.json")
    }

    @Test func childHasTheFolderOfItsItemIfAnotherItemHasTheOldNameMeanwhile() throws {
        let disk = MemoryFileSystem()
        func boxes<Item: Container>(_ type: Item.Type) throws -> Directory<Item> {
            try Directory(at: folder, index: "boxes.json", on: ProcessFileSystem(disk))
        }
        let mine = try boxes(Box.self)
        try mine.append(Box(id: 1, folderName: "One"))
        let others = try boxes(OtherBox.self)
        try others.update(OtherBox(id: 1, folderName: "Uno"))
        try others.append(OtherBox(id: 2, folderName: "One"))
        // This process has not heard of it yet.
        #expect(mine[id: 1]?.folderName == "One")
        try mine.child(.notes, of: 1).append(Note(id: 7, title: "Note"))
        let notes = try others.child(.notes, of: 1)
        try notes.load()
        #expect(notes.items.map(\.id) == [7])
        #expect(notes.url.path == "/store/Uno/notes.json")
    }
}
