import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// The files that a stage accepts and refuses.
@Suite(.timeLimit(.minutes(30))) struct SourceTests {
    let sandbox: Sandbox
    let photos: Directory<Photo>
    let stage: Stage

    init() throws {
        sandbox = try Sandbox()
        photos = try sandbox.photos("store")
        stage = try photos.makeStage()
    }

    private func expectRefusal(
        of source: URL, _ code: DirectoryError.Code, at location: SourceLocation = #_sourceLocation
    ) throws {
        let tree = try sandbox.tree()
        expectError(code, sourceLocation: location) { try stage.copy(source) }
        expectError(code, sourceLocation: location) { try stage.move(source) }
        #expect(stage.assets.isEmpty, sourceLocation: location)
        #expect(try sandbox.tree() == tree, sourceLocation: location)
    }

    @Test func missingSourceIsAnError() throws {
        try expectRefusal(of: sandbox.url("nothing"), .sourceMissing)
        try expectRefusal(of: sandbox.url("no/folder/here"), .sourceMissing)
    }

    @Test func sourceBelowAFileIsMissing() throws {
        try sandbox.write("", to: "file")
        try expectRefusal(of: sandbox.url("file/inner"), .sourceMissing)
    }

    @Test func folderIsRefused() throws {
        try expectRefusal(of: sandbox.makeFolder("folder"), .sourceNotFile)
        try expectRefusal(of: URL(filePath: "/"), .sourceNotFile)
    }

    @Test func pipeIsRefusedWithoutWaiting() throws {
        try expectRefusal(of: sandbox.makePipe("pipe"), .sourceNotFile)
    }

    @Test func socketIsRefused() throws {
        try expectRefusal(of: sandbox.makeSocket("socket"), .sourceNotFile)
    }

    @Test func deviceIsRefused() throws {
        try expectRefusal(of: URL(filePath: "/dev/zero"), .sourceNotFile)
    }

    @Test func symbolicLinkIsRefused() throws {
        let file = try sandbox.write("text", to: "file")
        try expectRefusal(of: sandbox.makeSymbolicLink("link", to: file), .sourceNotFile)
        try expectRefusal(
            of: sandbox.makeSymbolicLink("dangling", to: sandbox.url("nowhere")), .sourceNotFile)
    }

    /// Apple's systems refuse to read a file that iCloud has evicted where a download is not wanted: EDEADLK.
    @Test func bytesThatAreOnlyInACloudHaveACodeOfTheirOwn() throws {
        let evicted = ProcessFileSystem(LocalFileSystem()) { _, call in
            call.hasPrefix("read") && call.hasSuffix(".txt") ? .fails(.deadlock) : .works
        }
        let photos = try Directory<Photo>(at: sandbox.url, index: "photos.json", on: evicted)
        let photo = try photos.insert(Data("text".utf8), name: "a.txt")
        let error = expectError(.notDownloaded) { try photos.data(of: photo.id) }
        #expect(error?.reason == "the file is in a cloud, and was not downloaded")
    }

    /// In a sandbox, a file that the user picked may be opened, and its folder may not.
    @Test func fileInAFolderThatCannotBeOpenedIsCopiedAndNotMoved() throws {
        let file = try sandbox.write("text", to: "closed/file")
        for (path, mode) in [("", 0o755), ("closed", 0o311), ("closed/file", 0o644)] {
            try sandbox.setMode(mode, of: path)
        }
        let stages = try FileManager.default.contentsOfDirectory(
            atPath: sandbox.url("store/.staging").path)
        for name in stages { try sandbox.setMode(0o777, of: "store/.staging/\(name)") }
        try withoutPrivileges {
            try stage.copy(file)
            expectError(.accessDenied) { try stage.move(file) }
        }
        #expect(stage.assets.map(\.byteCount) == [4])
        #expect(try photos.insert(stage).count == 1)
        #expect(try sandbox.text("closed/file") == "text")
    }

    @Test func linkedFolderAboveASourceIsFollowed() throws {
        try sandbox.write("text", to: "folder/file")
        try sandbox.makeSymbolicLink("link", to: sandbox.url("folder"))
        #expect(try stage.copy(sandbox.url("link/file")).byteCount == 4)
    }

    @Test func sourceWithAnInvalidNameIsRefused() throws {
        let long = String(repeating: "x", count: 300)
        try expectRefusal(of: sandbox.url(long), .sourceNotFile)
        let web = try #require(URL(string: "https://example.org/a.jpg"))
        try expectRefusal(of: web, .sourceNotFile)
    }

    @Test func failedCopyLeavesOtherFilesStaged() throws {
        try stage.copy(sandbox.write("a", to: "a"))
        expectError(.sourceMissing) { try stage.copy(sandbox.url("b")) }
        try stage.copy(sandbox.write("c", to: "c"))
        #expect(try photos.insert(stage).map(\.name) == ["a", "c"])
    }

    @Test(arguments: [
        ("moon.jpg", "jpg"), ("MOON.JPG", "jpg"), ("a.tar.gz", "gz"), ("dot.", ""), ("plain", ""),
        (".hidden", ""), ("a.\u{E4}", "\u{E4}"), ("a.0123456789abcdef", "0123456789abcdef"),
        ("a.0123456789abcdefg", ""), ("a b.c d", "c d"),
    ])
    func extensionIsThatOfTheName(_ names: (name: String, fileExtension: String)) throws {
        let staged = try stage.copy(sandbox.write("text", to: names.name))
        #expect(staged.fileExtension == names.fileExtension)
        let photo = try photos.insert(stage)[0]
        let suffix = names.fileExtension.isEmpty ? "" : ".\(names.fileExtension)"
        #expect(photo.fileName == "\(photo.id.uuidString)\(suffix)")
        #expect(photo.name == names.name)
        #expect(try photos.data(of: photo.id) == Data("text".utf8))
    }

    @Test(arguments: ["x.j/pg", "x.j\0pg", "../../x", "/etc/passwd"])
    func nameOfDataNeverBecomesAPath(_ name: String) throws {
        let photo = try photos.insert(Data([0xFF, 0xD8, 0xFF]), name: name)
        #expect(photo.name == name)
        #expect(sandbox.exists("store/photos/\(photo.fileName)"))
    }

    @Test(arguments: [
        ("FFD8FFE0", "jpg"), ("89504E470D0A1A0A00", "png"), ("474946383961", "gif"),
        ("524946460000000057454250", "webp"), ("00000018667479706865696300", "heic"),
        ("49492A00", "tiff"), ("4D4D002A", "tiff"), ("255044462D", "pdf"),
        ("000000186674797069736F6D", "mp4"), ("FFD8", ""), ("", ""), ("48656C6C6F", ""),
    ])
    func extensionOfAFileWithoutAnyComesFromItsBytes(_ kind: (hex: String, fileExtension: String))
        throws
    {
        let pairs = stride(from: 0, to: kind.hex.count, by: 2).map {
            kind.hex.dropFirst($0).prefix(2)
        }
        let bytes = Data(pairs.compactMap { UInt8($0, radix: 16) })
        #expect(try stage.write(bytes).fileExtension == kind.fileExtension)
        #expect(try stage.copy(sandbox.write(bytes, to: "x")).fileExtension == kind.fileExtension)
        #expect(try stage.write(bytes, name: "x.bin").fileExtension == "bin")
    }

    @Test func dateIsThatOfTheSource() throws {
        try sandbox.write("old", to: "old.txt")
        try sandbox.setAge(1_000_000, of: "old.txt")
        let staged = try stage.copy(sandbox.url("old.txt"))
        #expect(abs(staged.date.timeIntervalSinceNow + 1_000_000) < 100)
        #expect(try photos.insert(stage)[0].date == staged.date)
    }

    @Test func copyReportsItsBytesAndCanBeCancelled() throws {
        let source = try sandbox.write(Data(count: 1000), to: "big")
        let progress = Progress(totalUnitCount: 1000)
        try stage.copy(source, progress: progress)
        #expect(progress.completedUnitCount == 500 && progress.totalUnitCount == 1000)
        let cancelled = Progress(totalUnitCount: 1000)
        cancelled.cancel()
        let tree = try sandbox.tree()
        #expect(throws: CancellationError.self) { try stage.copy(source, progress: cancelled) }
        #expect(stage.assets.count == 1)
        #expect(try sandbox.tree() == tree)
    }

    /// proc(5) reports a size of 0 for its files.
    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/version")))
    func byteCountIsTheSizeOfTheCopy() throws {
        try stage.copy(URL(filePath: "/proc/version"))
        let photo = try photos.insert(stage)[0]
        #expect(photo.byteCount > 0)
        #expect(try photos.data(of: photo.id).count == photo.byteCount)
    }
}
