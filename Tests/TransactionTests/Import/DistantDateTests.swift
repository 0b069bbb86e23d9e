import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// Files whose dates 64 bits of nanoseconds cannot hold.
struct DistantDateTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
    }

    @Test(arguments: Sweep.cases(distantTimes, sample: 1))
    func importedPhotoHasTheDateOfItsSource(_ seconds: Int) throws {
        let source = try sandbox.write("x", to: "x.jpg")
        let kept = try setModificationTime(of: source, toSeconds: seconds)
        let stage = try photos.makeStage()
        try stage.copy(source)
        let photo = try photos.insert(stage)[0]
        #expect(photo.date == Date(timeIntervalSince1970: Double(kept)))
        try sandbox.write(sandbox.bytes("store/photos.json"), to: "copy/photos.json")
        let copy = try sandbox.photos("copy")
        try copy.load()
        #expect(copy.items.map(\.date) == [photo.date])
    }

    @Test(arguments: Sweep.cases(distantTimes, sample: 1))
    func orphanHasItsDate(_ seconds: Int) throws {
        try photos.insert(Data([1]))
        let orphan = try sandbox.write("x", to: "store/photos/orphan.jpg")
        let kept = try setModificationTime(of: orphan, toSeconds: seconds)
        #expect(try photos.verify().map(\.kind) == [.orphanAsset])
        try photos.repair()
        #expect(try photos.verify().isEmpty)
        #expect(photos.items.last?.date == Date(timeIntervalSince1970: Double(kept)))
    }

    /// Stages are removed when nothing has changed them for a day, which is never in the future.
    @Test(arguments: Sweep.cases(distantTimes, sample: 1))
    func indexAndFoldersMayHaveSuchDates(_ seconds: Int) throws {
        let photo = try photos.insert(Data([1]))
        try sandbox.makeFolder("store/.staging/photos~\(String(repeating: "a", count: 32))")
        for path in try sandbox.paths().sorted().reversed() {
            try setModificationTime(of: sandbox.url(path), toSeconds: seconds)
        }
        let next = try photos.insert(Data([2]))
        #expect(photos.items.map(\.id) == [photo.id, next.id])
        #expect(try photos.verify().isEmpty)
    }
}
