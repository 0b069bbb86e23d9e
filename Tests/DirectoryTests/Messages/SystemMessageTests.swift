import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// What people are told if the system refuses something: the same words on all systems.
struct SystemMessageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test(
        arguments: [
            (
                Errno.noSpace, DirectoryError.Code.noSpace, "there is no space left",
                "Free some space and try again."
            ),
            (
                .quotaExceeded, .noSpace, "there is no space left", "Free some space and try again."
            ),
            (
                .readOnly, .readOnly, "the volume is read-only",
                "Use a volume that can be written to."
            ),
            (
                .accessDenied, .accessDenied, "a permission is missing",
                "Check the permissions of the file, and of the folder that it is in."
            ),
            (
                .fileExists, .nameTaken, "a name that it needs is taken",
                "Choose another name, or move the file or folder that has it."
            ),
            (
                .crossDevice, .crossVolume, "its folder is on a drive that cannot move it",
                "Copy everything to another place, and use the copy."
            ),
            (
                .ioError, .ioFailure, "the system could not read or write it",
                "Try again. If that fails too, check the drive, and restart the device."
            ),
        ] as [(Errno, DirectoryError.Code, String, String)])
    func failedCalls(
        _ errno: Errno, _ code: DirectoryError.Code, _ reason: String, _ advice: String
    ) throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("write") ? .fails(errno) : .works
        }
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        expectText(code, "Cannot change “notes”: \(reason).", advice) {
            try notes.append(.eggs)
        }
    }

    @Test(
        arguments: [
            (Errno.noSpace, "Free some space"), (.readOnly, "Use a volume"),
            (.accessDenied, "Check the permissions"), (.crossDevice, "Make a copy"),
        ])
    func developersReadTheRemedyOnce(_ errno: Errno, _ remedy: String) throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("write") ? .fails(errno) : .works
        }
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        let error = try #require(throws: DirectoryError.self) { try notes.append(.eggs) }
        #expect(error.message.ranges(of: remedy).count == 1)
        #expect(error.message.contains("removeUndoHistory()") == (errno == .noSpace))
    }

    @Test func deviceLocked() throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("read ") ? .fails(.notPermitted) : .works
        }
        try Directory<Note>(at: sandbox.url, index: "notes.json").append(.eggs)
        let notes = try Directory<Note>(at: sandbox.url, index: "notes.json", on: process)
        LockedDevice.$protectsFiles.withValue(true) {
            expectText(
                .deviceLocked, "Cannot load “notes”: the device is locked.",
                "Try again when the device is unlocked."
            ) { try notes.load() }
        }
    }

    @Test(.enabled(if: OtherVolume.exists)) func crossVolume() throws {
        let far = try OtherVolume()
        let boxes = try sandbox.twoBoxes()
        let others = try Directory<Box>(at: far.url, index: "boxes.json")
        try others.append(Box(id: 9, folderName: "Nine"))
        expectText(
            .crossVolume,
            "Cannot move items from “boxes”: the other collection is on another volume.",
            "Export the items and import them on the other volume."
        ) { try boxes.transfer([1], to: others) }
    }

    @Test func unwatchable() async throws {
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("watch ") ? .fails(.noSpace) : .works
        }
        let notes = try sandbox.journaledNotes(on: process)
        let found = Mutex<DirectoryError?>(nil)
        let watching = Task {
            await notes.watch { error in found.withLock { $0 = error } }
        }
        #expect(await eventually { found.withLock { $0 } != nil })
        watching.cancel()
        await watching.value
        expectText(
            of: try #require(found.withLock { $0 }),
            "Cannot watch “notes”: the system does not report changes of other programs.",
            "Nothing has to be done: changes are looked for once a second.")
    }

    /// What a preview shows is what people will be told.
    @Test(
        arguments: [
            (.noSpace, "there is no space left", "Free some space and try again."),
            (
                .suspended, "the system gives the app no time now",
                "Try again when the app is active."
            ),
            (.deviceLocked, "the device is locked", "Try again when the device is unlocked."),
            (
                .notDownloaded, "it is only in the cloud, and was not downloaded",
                "Download it first, then try again."
            ),
            (
                .inDoubt, "the drive failed, and it is not known whether the change was saved",
                "Open it again to see what was saved."
            ),
            (
                .undoConflict, "the item was changed or removed since",
                "Look at the items as they are now, and change them by hand."
            ),
            (
                .nestedWrite, "the app has not finished what it was doing with it", mistake
            ),
            (.locked, "another program has been using it", "Try again in a moment."),
        ] as [(DirectoryError.Code, String, String)])
    func memoryVolume(_ code: DirectoryError.Code, _ reason: String, _ advice: String) throws {
        let volume = MemoryVolume()
        let notes = try Directory<Note>(at: volume.url, index: "notes.json")
        volume.fail(code)
        expectText(code, "Cannot change “notes”: \(reason).", advice) {
            try notes.append(.eggs)
        }
    }

    /// Functions are for developers, whom the message tells them.
    @Test(arguments: Self.codes) func adviceForPeopleNamesNoFunction(_ code: DirectoryError.Code)
        throws
    {
        let error = try injected(code)
        let advice = try #require(error.recoverySuggestion)
        #expect(!advice.contains("(") && advice.hasSuffix("."))
    }

    @Test(arguments: Self.codes + [.ioFailure])
    func memoryVolumesHaveAReasonForPeople(_ code: DirectoryError.Code) throws {
        let error = try injected(code)
        #expect(!error.localizedDescription.contains("memory volume"))
        #expect(error.reason == "the memory volume was told to fail")
    }

    private func injected(_ code: DirectoryError.Code) throws -> DirectoryError {
        let volume = MemoryVolume()
        let notes = try Directory<Note>(at: volume.url, index: "notes.json")
        volume.fail(code)
        return try #require(expectError(code) { try notes.append(.eggs) })
    }

    /// All but `ioFailure`, about which only the system knows more.
    static let codes = DirectoryError.Code.texts.keys.sorted { $0.rawValue < $1.rawValue }
}
