@testable import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Which side of an import or of a copy is blamed.
struct PermissionMessageTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>
    let moon: URL
    let advice = "Check the permissions of the file, and of the folder that it is in."

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
        moon = try sandbox.write("moon", to: "moon.jpg")
        try sandbox.setMode(0o755, of: "")
        try sandbox.setMode(0o644, of: "moon.jpg")
    }

    @Test func folderOfTheCollectionCannotBeWrittenTo() throws {
        try photos.insert(copying: [moon])
        try sandbox.setMode(0o555, of: "store")
        withoutPrivileges {
            expectText(
                .accessDenied,
                "Cannot prepare an import into “photos”: a permission is missing.", advice
            ) { try photos.insert(copying: [moon]) }
        }
    }

    #if os(Linux)
        /// A program that ran once as root locks the user out.
        @Test func fileOfAnotherUserSaysWhoOwnsIt() async {
            await #expect(processExitsWith: .success) {
                guard getuid() == 0 else { return }
                let sandbox = try Sandbox()
                try sandbox.setMode(0o755, of: "")
                let notes = try Directory<Note>(at: sandbox.url("store"), index: "notes.json")
                try notes.append(.eggs)
                try notes.close()
                try sandbox.setMode(0o755, of: "store")
                try #require(setuid(65_534) == 0)
                let error = #expect(throws: DirectoryError.self) {
                    try Directory<Note>(at: sandbox.url("store"), index: "notes.json").load()
                }
                #expect(error?.code == .accessDenied)
                #expect(error?.message.contains("belongs to the user root") == true)
                #expect(error?.message.contains("chown") == true)
                #expect(error?.localizedDescription.contains("another user") == true)
            }
        }
    #endif

    @Test func stageCannotBeWrittenTo() throws {
        try photos.insert(copying: [moon])
        try sandbox.setMode(0o755, of: "store")
        let stage = try photos.makeStage()
        for (path, mode) in [("store/.staging", 0o755), ("store/.staging/\(stage.name)", 0o555)] {
            try sandbox.setMode(mode, of: path)
        }
        withoutPrivileges {
            expectText(
                .accessDenied, "Cannot import files into “photos”: a permission is missing.",
                advice
            ) { try stage.copy(moon) }
        }
    }

    @Test func sourceCannotBeRead() throws {
        try sandbox.setMode(0o000, of: "moon.jpg")
        withoutPrivileges {
            expectText(
                .accessDenied, "Cannot import “moon.jpg”: a permission is missing.", advice
            ) { try photos.insert(copying: [moon]) }
        }
    }

    /// A drive that fails while the source is read.
    @Test func sourceFailsWhileItIsCopied() throws {
        let source = try ImportSource(
            at: moon,
            on: ProcessFileSystem(LocalFileSystem()) { _, call in
                call.hasPrefix("read") ? .fails(.ioError) : .works
            })
        let error = expectError(.ioFailure) {
            try source.describingItsErrors(at: moon) { _ = try source.prefix(4) }
        }
        expectText(
            of: try #require(error),
            "Cannot import “moon.jpg”: the system could not read or write it.",
            "Try again. If that fails too, check the drive, and restart the device.")
    }

    @Test func placeOfACopyCannotBeWrittenTo() throws {
        try photos.insert(copying: [moon])
        try sandbox.setMode(0o755, of: "store")
        for name in ["photos.json", ".photos.lock"] {
            try sandbox.setMode(0o666, of: "store/\(name)")
        }
        try sandbox.makeFolder("backups")
        try sandbox.setMode(0o555, of: "backups")
        withoutPrivileges {
            let text = "Cannot copy to “photos”: a permission is missing."
            expectText(.accessDenied, text, advice) {
                try photos.copy(to: sandbox.url("backups/photos"))
            }
            expectText(.accessDenied, text, advice) {
                try photos.copy(to: sandbox.url("backups/deep/photos"))
            }
        }
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("sync") && call.contains(".copy") ? .fails(.noSpace) : .works
        }
        let others = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: process)
        expectText(
            .noSpace, "Cannot copy to “copy”: there is no space left.",
            "Free some space and try again."
        ) { try others.copy(to: sandbox.url("store/copy")) }
    }

    @Test func originalOfACopyCannotBeRead() throws {
        let photo = try photos.insert(copying: [moon])[0]
        let process = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("open") && call.hasSuffix(photo.fileName)
                ? .fails(.accessDenied) : .works
        }
        let others = try Directory<Photo>(
            at: sandbox.url("store"), index: "photos.json", on: process)
        expectText(
            .accessDenied, "Cannot copy “photos”: a permission is missing.", advice
        ) { try others.copy(to: sandbox.url("store/copy")) }
    }
}
