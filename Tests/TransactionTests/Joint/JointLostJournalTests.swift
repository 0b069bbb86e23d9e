import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// A killed write waits, and the journal of one of its collections is away for some time.
struct JointLostJournalTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func photos(_ folder: String, on process: ProcessFileSystem = .init(LocalFileSystem()))
        throws -> Directory<Photo>
    {
        var options = DirectoryOptions()
        options.journalThreshold = 0
        options.journalTime = nil
        return try Directory<Photo>(
            at: sandbox.url(folder), index: "photos.json", options: options, on: process)
    }

    /// Nobody knows what the journal says.
    @Test(arguments: ["from", "to"], JointKill.allCases)
    func theOtherCollectionWaitsForIt(_ folder: String, _ kill: JointKill) throws {
        let process = kill.process
        do {
            let (source, target) = try (photos("from", on: process), photos("to", on: process))
            for name in ["a", "b"] { try source.insert(Data(name.utf8), name: name) }
            try target.insert(Data("c".utf8), name: "c")
            expectError(.inDoubt) { try source.transfer([source.items[0].id], to: target) }
        }
        try sandbox.move("\(folder)/.photos.journal", to: "aside")
        let other = try photos(folder == "to" ? "from" : "to")
        try other.load()
        // The source asks nobody once its own part has ended.
        if folder == "from" || kill != .betweenIndexes {
            #expect(throws: DirectoryError.self) { try other.write { _ in } }
        }
        try sandbox.move("aside", to: "\(folder)/.photos.journal")
        let (source, target) = try (photos("from"), photos("to"))
        for photos in [target, source] { try photos.write { _ in } }
        let isDecided = kill != .undecided
        #expect(source.items.map(\.name) == (isDecided ? ["b"] : ["a", "b"]))
        #expect(target.items.map(\.name) == (isDecided ? ["c", "a"] : ["c"]))
        #expect(try Directory.verify(below: sandbox.url).isEmpty)
    }
}
