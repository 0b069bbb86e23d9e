import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Another folder stands at the place of a collection in which a killed write waits: it is not taken for that collection.
struct JointIdentityTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func photos(_ folder: String, on process: ProcessFileSystem = .init(LocalFileSystem()))
        throws -> Directory<Photo>
    {
        try Directory<Photo>(at: sandbox.url(folder), index: "photos.json", on: process)
    }

    private func names(_ folder: String) throws -> [String] {
        let photos = try photos(folder)
        try photos.load()
        return photos.items.map(\.name)
    }

    /// Moves the photograph `a` to the folder whose index decides, in a process that is killed.
    private func killTransfer(_ kill: JointKill) throws {
        let process = kill.process
        let (source, target) = try (photos("from", on: process), photos("to", on: process))
        for name in ["a", "b"] { try source.insert(Data(name.utf8), name: name) }
        try target.insert(Data("c".utf8), name: "c")
        expectError(.inDoubt) { try source.transfer([source.items[0].id], to: target) }
    }

    /// Puts another collection in the place of `folder` while `body` is called; in the end the transfer has taken place.
    private func replacing(_ folder: String, _ body: () throws -> Void) throws {
        try sandbox.move(folder, to: "real")
        do {
            let other = try photos(folder)
            try other.insert(Data("d".utf8), name: "d")
            try other.close()
        }
        try body()
        try sandbox.remove(folder)
        try sandbox.move("real", to: folder)
        #expect(try names("from") == ["b"])
        #expect(try names("to") == ["c", "a"])
        #expect(try Directory.verify(below: sandbox.url).isEmpty)
    }

    @Test(arguments: [JointKill.decided, .betweenIndexes])
    func anotherFolderIsNotTheHome(_ kill: JointKill) throws {
        try killTransfer(kill)
        try replacing("to") {
            let source = try photos("from")
            try source.load()
            if kill == .decided { expectError(.unfinishedChange) { try source.write { _ in } } }
            #expect(try names("to") == ["d"])
        }
    }

    @Test(arguments: [JointKill.decided, .betweenIndexes])
    func anotherFolderIsNotAParticipant(_ kill: JointKill) throws {
        try killTransfer(kill)
        try replacing("from") {
            let target = try photos("to")
            try target.load()
            #expect(target.items.map(\.name) == ["c", "a"])
            expectError(.unfinishedChange) { try target.write { _ in } }
            #expect(try names("from") == ["d"])
        }
    }
}
