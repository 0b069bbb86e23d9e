import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// What people are told about a file or a folder from which nothing can be restored: what it is, and what to do with it.
struct RestoreMessageTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>
    private let choose = "Choose a backup that this app has made."
    private let unpack = "Unpack it, then choose the folder that comes out of it."

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
    }

    /// Expects the same of a restoring and of a merge.
    private func expectRefusal(
        of name: String, _ reason: String, _ advice: String,
        at location: SourceLocation = #_sourceLocation
    ) {
        let url = sandbox.url(name)
        expectText(
            .damagedCopy, "Cannot restore from “\(name)”: \(reason).", advice, at: location
        ) { try boxes.restore(from: url) }
        expectText(
            .damagedCopy, "Cannot merge from “\(name)”: \(reason).", advice, at: location
        ) { try boxes.merge(from: url) { _, _ in .keepMine } }
    }

    /// Makes an archive, and replaces bytes of the first record of its directory.
    private func archive(_ offset: Int, _ new: [UInt8]) throws {
        try boxes.archive(to: sandbox.url("a.zip"))
        var bytes = Array(try sandbox.bytes("a.zip"))
        let record = try #require(bytes.firstRange(of: [0x50, 0x4B, 0x01, 0x02])?.lowerBound)
        bytes.replaceSubrange(record + offset..<record + offset + new.count, with: new)
        try sandbox.write(Data(bytes), to: "a.zip")
    }

    /// Makes an archive without compression of one file in a folder.
    private func archive(of file: String, in folder: String) throws {
        let files = LocalFileSystem()
        let handle = try files.openFile(
            "a.zip", in: files.openFolder(at: sandbox.url.path), for: .create(mode: 0o600))
        var writer = ZipWriter(handle, on: files)
        let path = try [folder, file].map { try FileName(validating: $0) }
        try writer.add(Array("[]".utf8), at: path, mode: 0o600)
        try writer.finish()
    }

    @Test func compressedArchive() throws {
        try archive(10, [8, 0])
        expectRefusal(of: "a.zip", "the archive is compressed", unpack)
    }

    @Test func archiveWithAPassword() throws {
        try archive(8, [1, 8])
        expectRefusal(of: "a.zip", "the archive needs a password", unpack)
    }

    @Test func archiveOfAFolder() throws {
        try archive(of: "boxes.json", in: "Backup")
        expectRefusal(
            of: "a.zip", "the backup is the folder “Backup” in it",
            "Unpack it, then choose that folder.")
    }

    @Test func archiveOfSomethingElse() throws {
        try archive(of: "letter.txt", in: "Letters")
        expectRefusal(of: "a.zip", "it is not a backup of “boxes”", choose)
    }

    @Test func fileThatIsNoArchive() throws {
        try sandbox.write("Dear Sir or Madam", to: "letter.txt")
        expectRefusal(of: "letter.txt", "it is neither a folder nor an archive", choose)
        try sandbox.write("", to: "empty.zip")
        expectRefusal(of: "empty.zip", "it is neither a folder nor an archive", choose)
    }

    @Test func archiveOfAnotherKind() throws {
        for (name, bytes) in [
            ("a.tgz", [0x1F, 0x8B, 8]), ("a.7z", [0x37, 0x7A, 0xBC, 0xAF]),
            ("a.tar", Array(repeating: 0, count: 257) + Array("ustar".utf8)),
        ] as [(String, [UInt8])] {
            try Data(bytes).write(to: sandbox.url(name))
            expectRefusal(of: name, "the app cannot read archives of this kind", unpack)
        }
    }

    @Test func folderAroundABackup() throws {
        try boxes.copy(to: sandbox.url("Backups/Monday"))
        expectRefusal(
            of: "Backups", "the backup is the folder “Monday” in it", "Choose that folder.")
    }

    @Test func folderOfAnotherApp() throws {
        try sandbox.write("Dear Sir or Madam", to: "Letters/letter.txt")
        expectRefusal(of: "Letters", "it is not a backup of “boxes”", choose)
        try Directory<Note>(at: sandbox.url("Notes"), index: "notes.json").append(.eggs)
        expectRefusal(of: "Notes", "it is not a backup of “boxes”", choose)
    }

    @Test func indexOfAnotherApp() throws {
        try sandbox.write(#"[{"sender": "Madam"}]"#, to: "Letters/boxes.json")
        expectRefusal(
            of: "Letters", "this version of the app cannot read what is in it",
            "Update the app, or choose a backup that it has made.")
    }

    @Test func copyWithoutHiddenFiles() throws {
        let notes = try sandbox.journaledNotes("journaled")
        try notes.append(contentsOf: [.eggs, .milk])
        try notes.append(.salt)
        try sandbox.write(sandbox.bytes("journaled/notes.json"), to: "visible/notes.json")
        expectText(
            .damagedCopy,
            "Cannot restore from “visible”: its newest changes are in a hidden file, which is not there.",
            "Copy it again with all hidden files, or restore from another copy."
        ) { try sandbox.journaledNotes("restored").restore(from: sandbox.url("visible")) }
    }

    @Test func nothing() throws {
        expectRefusal(
            of: "gone.zip", "it does not exist",
            "It may have been moved or removed: choose it again.")
    }

    /// Only this is damage.
    @Test func damage() throws {
        let reason = "something in the copy is damaged or missing"
        let advice = "Restore from another copy."
        try archive(16, [1, 2, 3, 4])
        expectRefusal(of: "a.zip", reason, advice)
        try sandbox.write(sandbox.bytes("a.zip").prefix(60), to: "cut.zip")
        expectRefusal(of: "cut.zip", reason, advice)
        try sandbox.write("[{", to: "copy/boxes.json")
        expectRefusal(of: "copy", reason, advice)
    }
}
