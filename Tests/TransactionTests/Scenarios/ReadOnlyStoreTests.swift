import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What a store that can only be read says about files that are not there, and about collections that it cannot reach.
struct ReadOnlyStoreTests {
    private let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private var readOnly: ProcessFileSystem {
        ProcessFileSystem(LocalFileSystem(), readOnlyBelow: sandbox.url.path)
    }

    /// The stage of an import that nobody has begun to commit has moved nothing.
    @Test func missingFileBesideAStageIsMissing() throws {
        let photo = try sandbox.photos("store").insert(Data("photo".utf8))
        try sandbox.remove("store/photos/\(photo.fileName)")
        try sandbox.makeFolder("store/.staging/photos~0123456789abcdef0123456789abcdef")
        let photos = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: readOnly)
        expectError(.assetMissing) { _ = try photos.data(of: photo.id) }
    }

    /// The source of a transfer that the target has decided, and whose process died then.
    @Test(arguments: [false, true]) func loadDoesNotNeedTheOtherCollection(isReadable: Bool) throws
    {
        let photo = try sandbox.photos("One").insert(Data("photo".utf8))
        let dying = JointKill.decided.process
        let (source, target) = try (
            Directory<Photo>(at: sandbox.url("One"), index: "photos.json", on: dying),
            Directory<Photo>(at: sandbox.url("Two"), index: "photos.json", on: dying)
        )
        try source.load()
        expectError(.inDoubt) { try source.transfer([photo.id], to: target) }
        let other = sandbox.url("Two").path
        let process = ProcessFileSystem(readOnly) { _, line in
            !isReadable && line.hasPrefix("open ") && line.contains(other)
                ? .fails(.accessDenied) : .works
        }
        let photos = try Directory<Photo>(at: sandbox.url("One"), index: "photos.json", on: process)
        // The second time, it knows that nothing can be written.
        for _ in 0..<2 {
            try photos.load()
            #expect(photos.items.map(\.id) == (isReadable ? [] : [photo.id]))
        }
    }
}
