import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Transfers of photographs from one collection to another.
@Suite(.timeLimit(.minutes(30))) struct AssetTransferTests {
    let sandbox: Sandbox
    let source: Directory<Photo>
    let target: Directory<Photo>
    let photos: [Photo]

    init() throws {
        sandbox = try Sandbox()
        source = try sandbox.photos("from")
        target = try sandbox.photos("to")
        photos = try source.insert([Data([1]), Data([2]), Data([3])])
    }

    @Test func filesMoveWithTheirItems() throws {
        try source.transfer([photos[2].id, photos[0].id], to: target)
        #expect(Array(target.items) == [photos[2], photos[0]])
        #expect(Array(source.items) == [photos[1]])
        #expect(try target.data(of: photos[2].id) == Data([3]))
        #expect(try sandbox.tree("from/photos").count == 1)
        #expect(try source.verify().isEmpty && target.verify().isEmpty)
        #expect(try sandbox.leftovers().isEmpty)
    }

    /// It could not be undone either.
    @Test(arguments: ["from", "to"])
    func transferThatMayNotOpenTheAssetsBeginsNothing(_ side: String) throws {
        try target.insert(Data([9]))
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("open") && call.hasSuffix("/\(side)/photos")
                ? .fails(.accessDenied) : .works
        }
        let collections = try ["from", "to"].map {
            try Directory<Photo>(at: sandbox.url($0), index: "photos.json", on: process)
        }
        expectError(.accessDenied) {
            try collections[0].transfer([photos[0].id], to: collections[1])
        }
        #expect(try sandbox.leftovers().isEmpty)
        try target.insert(Data([10]))
        #expect(try Array(source.loaded()) == photos)
    }

    @Test func nameOfAnUnknownFileInTheTargetIsTaken() throws {
        try sandbox.write("mine", to: "to/photos/\(photos[1].fileName)")
        let tree = try sandbox.tree("from").filter { !$0.key.hasSuffix(".lock") }
        expectError(.nameTaken) { try source.transfer(photos.map(\.id), to: target) }
        try source.checkpoint()
        #expect(try sandbox.tree("from").filter { !$0.key.hasSuffix(".lock") } == tree)
        #expect(try sandbox.text("to/photos/\(photos[1].fileName)") == "mine")
        #expect(try sandbox.tree("to/photos").count == 1)
        #expect(try sandbox.leftovers().isEmpty)
        try source.insert(Data([4]))
        try target.insert(Data([4]))
    }

    /// Someone edited the index.
    @Test func fileStaysWithTheFirstOfTwoItemsThatNameIt() throws {
        let names = photos.map { #""fileName":"\#($0.fileName)""# }
        let text = try sandbox.text("from/photos.json")
        try sandbox.write(text.replacing(names[1], with: names[0]), to: "from/photos.json")
        expectError(.assetMissing) { try source.transfer([photos[1].id], to: target) }
        #expect(try source.data(of: photos[0].id) == Data([1]))
        #expect(target.isEmpty)
    }

    @Test func itemWithoutItsFileIsTransferred() throws {
        try sandbox.remove("from/photos/\(photos[0].fileName)")
        try source.transfer([photos[0].id], to: target)
        #expect(Array(target.items) == [photos[0]])
        #expect(try target.verify().map(\.kind) == [.missingAsset])
    }

    @Test func opposingTransfersOfManyThreadsLoseNothing() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for photo in photos {
                for _ in 0..<2 {
                    group.addTask {
                        for _ in 0..<2 {
                            try await move(photo, from: source, to: target)
                            try await move(photo, from: target, to: source)
                        }
                    }
                }
            }
            group.addTask { [source, target] in
                for byte in 0..<UInt8(4) {
                    try source.insert(Data([byte, byte]))
                    try target.insert(Data([byte, byte]))
                }
            }
            try await group.waitForAll()
        }
        let all = Array(source.items) + Array(target.items)
        #expect(Set(all.map(\.id)).count == 11)
        #expect(all.count == 11)
        for (number, photo) in photos.enumerated() {
            let holder = source[id: photo.id] == nil ? target : source
            #expect(try await holder.data(of: photo.id) == Data([UInt8(number + 1)]))
        }
        for photos in [source, target] {
            #expect(try await photos.verify().isEmpty)
            try await photos.checkpoint()
        }
        #expect(try sandbox.leftovers().isEmpty)
    }

    /// Transfers a photograph unless another thread already did.
    private func move(_ photo: Photo, from: Directory<Photo>, to: Directory<Photo>) async throws {
        do {
            try await from.transfer([photo.id], to: to)
        } catch let error as DirectoryError where error.code == .itemNotFound {}
    }
}
