import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// What others change after a folder was copied, and before its indexes are locked.
struct CopyPassTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes("store")
        try boxes.append(contentsOf: [Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two")])
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.child(.photos, of: 1).insert((0..<3).map { Data("photo \($0)".utf8) })
        try boxes.child(.pieces, of: 2).load()
    }

    /// Copies the store, and calls `body` before the index `name` is first locked.
    private func copy(
        changingBeforeLockOf name: String, _ body: @escaping @Sendable () throws -> Void
    )
        throws
    {
        let interruption = Interruption()
        let process = interruption.process(beforeCall: "lock ", "\(name).lock")
        let original = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", on: process)
        try original.load()
        interruption.set(body)
        try original.copy(to: sandbox.url("copy"))
        #expect(interruption.hasRun)
        let tree = try sandbox.tree("store").filter { !$0.key.hasSuffix(".lock") }
        #expect(try sandbox.copied("copy") == tree)
    }

    @Test func photosThatComeAndGoAreInTheCopyOrNot() throws {
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        try copy(changingBeforeLockOf: "One/.photos") {
            try photos.insert(Data("new".utf8))
            try photos.remove(id: photos.items[0].id)
            try photos.checkpoint()
        }
    }

    @Test func assetThatIsReplacedUnderItsNameIsCopiedAgain() throws {
        let pieces = try boxes.child(.pieces, of: 2)
        try sandbox.write("old", to: "store/Two/pieces/a")
        try pieces.append(Piece(id: 1, fileName: "a"))
        let sandbox = sandbox
        try copy(changingBeforeLockOf: "Two/.pieces") {
            try pieces.remove(id: 1)
            try pieces.checkpoint()
            try sandbox.write("new", to: "store/Two/pieces/a")
            try pieces.append(Piece(id: 1, fileName: "a"))
        }
        #expect(try sandbox.text("copy/Two/pieces/a") == "new")
    }

    @Test func boxThatTakesTheNameOfARemovedOneIsCopiedAnew() throws {
        let boxes = boxes
        try copy(changingBeforeLockOf: "One/.photos") {
            try boxes.remove(id: 1)
            try boxes.checkpoint()
            try boxes.append(Box(id: 7, folderName: "One"))
            try boxes.child(.notes, of: 7).append(.salt)
        }
        #expect(try sandbox.boxes("copy").notes(of: 7) == [.salt])
    }

    @Test func boxThatIsRenamedIsCopiedUnderItsNewName() throws {
        let boxes = boxes
        try copy(changingBeforeLockOf: "One/.notes") {
            try boxes.update(Box(id: 1, folderName: "ONE"))
        }
        #expect(try sandbox.boxes("copy").notes(of: 1) == [.eggs])
    }

    @Test func foldersThatVanishAreNotInTheCopy() throws {
        try sandbox.makeFolder("store/One/notes")
        try sandbox.write("a", to: "store/One/Papers/a")
        let sandbox = sandbox
        try copy(changingBeforeLockOf: "One/.notes") {
            try sandbox.remove("store/One/notes")
            try sandbox.remove("store/One/Papers")
        }
    }

    @Test func folderThatBecomesAFileIsAFileInTheCopy() throws {
        try sandbox.write("a", to: "store/One/Papers/a")
        let sandbox = sandbox
        try copy(changingBeforeLockOf: "One/.notes") {
            try sandbox.remove("store/One/Papers")
            try sandbox.write("a", to: "store/One/Papers")
        }
    }

    @Test func collectionThatIsNewIsInTheCopy() throws {
        let boxes = boxes
        try copy(changingBeforeLockOf: "One/.notes") {
            try boxes.child(.parts, of: 1).append(Box(id: 5, folderName: "Five"))
            try boxes.child(.parts, of: 1).child(.notes, of: 5).append(.milk)
        }
    }

    /// On a volume that cannot make clones, an archive links the files of the original, which changes their statuses.
    @Test func archiveEndsAlthoughEachOfItsPassesFindsANewIndex() throws {
        let notes = try boxes.child(.notes, of: 1)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("lock "), call.hasSuffix("One/.notes.lock") {
                #expect(throws: Never.self) {
                    try notes.append(Note(10 + notes.items.count))
                    try notes.checkpoint()
                }
            }
            return .works
        }
        let original = try Directory<Box>(
            at: sandbox.url("store"), index: "boxes.json", options: .init(lockTimeout: .zero),
            on: process)
        try original.archive(to: sandbox.url("store.zip"))
        #expect(notes.items.count > 1)
        let restored = try sandbox.boxes("restored")
        try restored.restore(from: sandbox.url("store.zip"))
        #expect(try restored.notes(of: 1).count > 1)
    }
}
