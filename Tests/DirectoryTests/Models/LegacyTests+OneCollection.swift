import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Photographs of the seed library without the projects that have them.
extension LegacyTests {
    /// What a copy of the new layout has takes the place of files in the old folder.
    @Test(arguments: [true, false]) func otherBytesOfACopyTakeThePlaceOfOldFiles(_ merges: Bool)
        throws
    {
        let keeping = DirectoryOptions(keepsRemoved: .days(1))
        let original = Fixtures.url.appending(path: "legacy/5.x/Projects/Project_Apollo")
        let store = sandbox.url("store")
        try FileManager.default.copyItem(at: original, to: store)
        let copy = sandbox.url("copy")
        try Directory<Photo>(at: store, index: "photos.json").copy(to: copy)
        let name = try #require(try sandbox.tree("copy/Photos").keys.sorted().first)
        try sandbox.write("edited", to: "copy/Photos/\(name)")
        let copied = try Directory<Photo>(at: copy, index: "photos.json")
        try copied.move(fromOffsets: [0], toOffset: 2)
        try copied.close()
        let photos = try Directory<Photo>(at: store, index: "photos.json", options: keeping)
        if merges {
            try photos.merge(from: copy) { _, _ in .takeTheirs }
        } else {
            try photos.restore(from: copy)
        }
        let id = try #require(UUID(uuidString: name))
        #expect(try photos.data(of: id) == Data("edited".utf8))
        #expect(photos.count == 3)
        #expect(try photos.verify() == [])
        let old = try #require(try photos.recentlyRemoved().first { $0.item.id == id })
        try photos.bring(back: [old.id])
        #expect(try photos.data(of: id).count > 10_000)
        #expect(try photos.verify() == [])
    }

    @Test func recordWithoutItsFileOutlivesTheLastClose() throws {
        let (kept, lost) = (UUID(), UUID())
        let lines = [kept, lost].map { #"{"id":"\#($0.uuidString)","date":0}"# }
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "photos.json")
        try sandbox.write("bytes", to: "Photos/\(kept.uuidString)")
        var options = DirectoryOptions()
        options.journalThreshold = 0
        for _ in 0..<2 {
            let photos = try Directory<Photo>(
                at: sandbox.url, index: "photos.json", options: options)
            try photos.load()
            try photos.move(fromOffsets: [0], toOffset: 2)
            try photos.move(fromOffsets: [0], toOffset: 2)
        }
        let text = try sandbox.text("photos.json")
        #expect(text.contains("\n\(lines[1])"))
        #expect(!sandbox.exists(".photos.journal"))
        let photos = try sandbox.photos()
        #expect(photos.items.map(\.id) == [kept, lost])
        #expect(try photos.data(of: kept) == Data("bytes".utf8))
        try sandbox.write("found", to: "photos/\(lost.uuidString)")
        #expect(try photos.data(of: lost) == Data("found".utf8))
    }
}
