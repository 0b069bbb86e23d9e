import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What people are told about a store that is not as it was written, or that others use: the visible files.
struct StoreMessageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    private func notes() throws -> Directory<Note> {
        try Directory(
            at: sandbox.url, index: "notes.json", options: .init(lockTimeout: .milliseconds(20)))
    }

    @Test func damagedIndex() throws {
        let advice = "The file was left as it is: get it back from a backup."
        try sandbox.write("[\n{\"id\": 1,\n", to: "notes.json")
        expectText(
            .damagedIndex,
            "Cannot read “notes”: its file is damaged.", advice
        ) { try notes().load() }
        try sandbox.write("", to: "photos.json")
        try sandbox.write("bytes", to: "photos/moon.jpg")
        expectText(
            .damagedIndex,
            "Cannot read “photos”: it is empty, although files of its items are there.",
            advice
        ) { try sandbox.photos().load() }
    }

    @Test(arguments: [
        (#"{"id": 1}"#, "title: it is missing"),
        (#"{"id": 1, "title": null}"#, "title: it is null"),
        (#"{"id": 1, "title": 7}"#, "title: Expected to decode String but found number instead"),
    ])
    func undecodable(_ element: String, _ reason: String) throws {
        try sandbox.write("[\(element), \(element)]", to: "notes.json")
        expectText(
            .undecodable, "Cannot read “notes”: 2 of its 2 items cannot be read.",
            "The file was left as it is: open it with the version of the app that wrote it."
        ) { try notes().load() }
        let error = expectError(.undecodable) { try notes().load() }
        #expect(error?.reason == "2 of 2 elements cannot be read as Note: \(reason)")
    }

    @Test func damagedItemsWouldBeLeft() throws {
        try sandbox.write(#"[{"id":1,"title":"Eggs"}, 7]"#, to: "notes.json")
        expectText(
            .undecodable,
            "Cannot change “notes”: only items that cannot be read would be left.",
            "The file was left as it is: open it with the version of the app that wrote it."
        ) { try notes().remove(id: 1) }
    }

    @Test func journalDamaged() throws {
        let advice = "The files were left as they are: get them back from a backup."
        let process = ProcessFileSystem(LocalFileSystem())
        let writer = try sandbox.journaledNotes(on: process)
        try writer.append(contentsOf: [.eggs, .milk])
        try writer.append(.salt)
        process.kill()
        var journal = try sandbox.bytes(".notes.journal")
        journal[40] ^= 1
        try sandbox.write(journal, to: ".notes.journal")
        expectText(
            .journalDamaged,
            "Cannot read “notes”: its newest changes were damaged on the drive or by others.",
            advice
        ) { try notes().load() }
    }

    @Test func journalMissing() throws {
        let notes = try sandbox.journaledNotes()
        try notes.append(contentsOf: [.eggs, .milk])
        try notes.append(.salt)
        try sandbox.remove(".notes.journal")
        expectText(
            .journalMissing,
            "Cannot read “notes”: its newest changes were removed from the drive by another program.",
            "Do not quit the app: repair it, which saves the changes again."
        ) { try notes.load() }
    }

    @Test func indexConflict() throws {
        let process = ProcessFileSystem(LocalFileSystem())
        let writer = try sandbox.journaledNotes(on: process)
        try writer.append(contentsOf: [.eggs, .milk])
        try writer.append(.salt)
        process.kill()
        try sandbox.write("[]", to: "notes.json")
        expectText(
            .indexConflict,
            "Cannot read “notes”: "
                + "another program changed it before its newest changes were written into it.",
            "Nothing is lost: choose which of the two to keep, or get the file back from a backup."
        ) { try notes().load() }
    }

    @Test(
        arguments: [
            (.ioError, "the drive failed", "Open it again to see what was saved."),
            (.readOnly, "the volume is read-only", "Open it again to see what was saved."),
            (
                .noSpace, "there is no space left",
                "Free some space, then open it again to see what was saved."
            ),
        ] as [(Errno, String, String)])
    func inDoubt(_ errno: Errno, _ reason: String, _ advice: String) throws {
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            isFailing.load(ordering: .relaxed) && call.hasPrefix("sync") ? .fails(errno) : .works
        }
        let text =
            "Cannot save a change of “notes”: "
            + "\(reason), and it is not known whether the change was saved."
        let journaled = try sandbox.journaledNotes(on: process)
        try journaled.append(.eggs)
        try journaled.append(.milk)
        isFailing.store(true, ordering: .relaxed)
        expectText(.inDoubt, text, advice) { try journaled.append(.salt) }
        let isRenamed = Atomic(false)
        let renaming = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("rename") { isRenamed.store(true, ordering: .relaxed) }
            return isRenamed.load(ordering: .relaxed) && call.hasPrefix("sync")
                ? .fails(errno) : .works
        }
        let plain = try Directory<Note>(at: sandbox.url("plain"), index: "notes.json", on: renaming)
        expectText(.inDoubt, text, advice) { try plain.append(.eggs) }
    }

    @Test func transferInDoubt() throws {
        let isFailing = Atomic(false)
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            if call.hasPrefix("write"), call.hasSuffix(" committed") {
                isFailing.store(true, ordering: .relaxed)
                return .fails(.noSpace)
            }
            guard call.hasPrefix("rename") else { return .works }
            return isFailing.load(ordering: .relaxed) ? .fails(.accessDenied) : .works
        }
        try sandbox.boxes("from").append(Box(id: 1, folderName: "One"))
        try sandbox.boxes("to").append(Box(id: 9, folderName: "Nine"))
        let boxes = try ["from", "to"].map {
            try Directory<Box>(at: sandbox.url($0), index: "boxes.json", on: process)
        }
        expectText(
            .inDoubt,
            "Cannot change “boxes”: a change of several collections began and could not be ended now.",
            "Open it again, which ends the change."
        ) { try boxes[0].transfer([1], to: boxes[1]) }
        process.kill()
    }

    @Test func unfinishedChange() throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("write") && call.hasSuffix(" committed") ? .killed : .works
        }
        try sandbox.boxes("from").append(Box(id: 1, folderName: "One"))
        try sandbox.boxes("to").append(Box(id: 9, folderName: "Nine"))
        let boxes = try ["from", "to"].map {
            try Directory<Box>(at: sandbox.url($0), index: "boxes.json", on: process)
        }
        #expect(throws: (any Error).self) { try boxes[0].transfer([1], to: boxes[1]) }
        try sandbox.move("to", to: "away")
        expectText(
            .unfinishedChange,
            "Cannot change “boxes”: the app ended while it changed it together with other "
                + "collections, and one of them was moved, copied or edited since.",
            "Put all folders where they were, or repair this collection."
        ) { try sandbox.boxes("from").append(Box(id: 3, folderName: "Three")) }
    }

    @Test(arguments: [true, false]) func containerRemoved(byOthers: Bool) throws {
        let boxes = try sandbox.twoBoxes()
        let notes = try boxes.child(.notes, of: 1)
        try notes.load()
        if byOthers { try sandbox.remove("One") } else { try boxes.remove(id: 1) }
        expectText(
            .containerRemoved, "Cannot open “One”: the folder was removed or replaced.",
            "It may have been removed elsewhere: go back, and look at what is there now."
        ) { try notes.append(.salt) }
    }

    @Test func locked() throws {
        try notes().append(.eggs)
        try sandbox.write("00000000000000000004\nprocess 7 (importer)\n", to: ".notes.lock")
        try withExtendedLifetime(sandbox.lock()) {
            expectText(
                .locked,
                "Cannot use “notes”: "
                    + "another program has been using it for 0.02 seconds.",
                "Try again in a moment."
            ) { try notes().append(.milk) }
        }
    }

    @Test func lockedByAnotherMachine() throws {
        var options = DirectoryOptions()
        options.machine = "aaaaaaaa"
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("create") && call.hasSuffix(".tmp") ? .killed : .works
        }
        let killed = try Directory<Photo>(
            at: sandbox.url, index: "photos.json", options: options, on: process)
        #expect(throws: (any Error).self) { try killed.insert(Data([1])) }
        options.machine = "bbbbbbbb"
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json", options: options)
        expectText(
            .locked,
            "Cannot change “photos”: another computer has begun to change it, "
                + "and has not finished.",
            "Wait for that computer; if it will not go on, repair the collection."
        ) { try photos.insert(Data([1])) }
    }

    @Test func lockFileWithASecondName() throws {
        try notes().append(.eggs)
        try sandbox.makeHardLink("backup", to: ".notes.lock")
        expectText(
            .ioFailure,
            "Cannot use “notes”: a hidden file beside it has a second name (a hard link).",
            "Make a copy of the folder that has no hard links, and use that."
        ) { try notes().append(.milk) }
    }
}
