import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// A store at the root of a volume, where the file system has a folder that only root may read.
struct UnreadableFolderTests {
    private let sandbox: Sandbox
    private let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write("x", to: "store/lost+found/#12")
        let url = sandbox.url("store")
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in
            line.hasPrefix("open ") && line.contains("/lost+found") ? .fails(.accessDenied) : .works
        }
        boxes = try Directory(at: url, index: "boxes.json", on: process)
        try boxes.append(Box(id: 1, folderName: "One"))
        try boxes.child(.notes, of: 1).append(.eggs)
    }

    private func expect(_ findings: [Finding]) {
        #expect(findings.map(\.kind) == [.unknownFolder])
        #expect(findings.first?.path.hasSuffix("/lost+found") == true)
        #expect(findings.first?.message.contains("may not read") == true)
    }

    @Test func verificationNamesIt() throws {
        try expect(boxes.verify())
        #expect(try boxes.repair() == [])
        #expect(sandbox.exists("store/lost+found/#12"))
    }

    @Test func verificationWithoutTypesNamesIt() throws {
        try sandbox.setMode(0, of: "store/lost+found")
        defer { try? sandbox.setMode(0o755, of: "store/lost+found") }
        try boxes.close()
        for path in ["boxes.json", ".boxes.lock", "One/notes.json", "One/.notes.lock"] {
            try sandbox.setMode(0o644, of: "store/\(path)")
        }
        try sandbox.setMode(0o755, of: "store/One")
        try withoutPrivileges { try expect(Directory.verify(below: sandbox.url("store"))) }
    }

    @Test func everythingElseWorks() throws {
        try boxes.update(Box(id: 1, folderName: "Uno"))
        try boxes.copy(to: sandbox.url("copy"))
        try boxes.archive(to: sandbox.url("store.zip"))
        let other = try sandbox.boxes("other")
        try other.restore(from: sandbox.url("copy"))
        #expect(other.items.map(\.folderName) == ["Uno"])
        try boxes.restore(from: sandbox.url("store.zip"))
        try boxes.remove(id: 1)
        #expect(sandbox.exists("store/lost+found/#12"))
    }
}
