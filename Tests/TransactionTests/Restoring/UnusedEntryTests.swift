import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Files and folders in copies that are no part of the collection.
struct UnusedEntryTests {
    let sandbox: Sandbox
    private var copy: URL { sandbox.url("copy") }

    init() throws { sandbox = try Sandbox() }

    /// How a copy is given to a restoring.
    enum Form: CaseIterable {
        case folder, archive
    }

    /// Copies a store with a note and a photograph in a box.
    private func makeCopy(_ name: String = "One") throws {
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: name))
        try boxes.child(.notes, of: 1).append(.eggs)
        try boxes.child(.photos, of: 1).insert(Data("photo".utf8))
        try sandbox.write("mine", to: "store/\(name)/more/list.txt")
        try boxes.copy(to: copy)
    }

    /// The copy, or a new archive of everything in it, in the folder `top` of the archive.
    private func source(_ form: Form, in top: FolderPath = []) throws -> URL {
        if form == .folder { return copy }
        let files = LocalFileSystem()
        let folder = try files.openFolder(at: sandbox.url.path)
        try? files.removeFile("a.zip", in: folder)
        let file = try files.openFile("a.zip", in: folder, for: .create(mode: 0o600))
        var writer = ZipWriter(file, on: files)
        for (path, entry) in try sandbox.tree("copy").sorted(by: { $0.key < $1.key }) {
            let names = top + path.split(separator: "/").compactMap { FileName($0) }
            switch entry {
            case .file(let bytes, let mode): try writer.add(Array(bytes), at: names, mode: mode)
            case .folder: try writer.addFolder(names, files.status(of: folder))
            case .link, .other: break
            }
        }
        try writer.finish()
        return sandbox.url("a.zip")
    }

    /// The paths in the copy of the files that were not used.
    private func paths(_ findings: [Finding], in source: URL) -> [String] {
        findings.map { finding in
            #expect(finding.kind == .unusedFile && finding.path.hasPrefix(source.path))
            return String(finding.path.dropFirst(source.path.count + 1))
        }
    }

    /// A program has given the folder of a container its name in another spelling.
    @Test(arguments: Sweep.cases(Form.allCases, sample: 1), Sweep.cases([true, false], sample: 1))
    func aFolderInAnotherSpellingIsNotLeftOut(_ form: Form, _ merges: Bool) throws {
        try makeCopy()
        try sandbox.remove("copy/.boxes.copy")
        try sandbox.move("copy/One", to: "copy/ONE")
        let boxes = try sandbox.boxes("store")
        try boxes.update(id: 1) { $0.folderName = "Eins" }
        let error = expectError(.damagedCopy) {
            if merges {
                try boxes.merge(from: source(form)) { _, _ in .takeTheirs }
            } else {
                try boxes.restore(from: source(form))
            }
        }
        #expect(error?.reason.contains("ONE") == true)
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try boxes.verify() == [])
    }

    /// Some volumes give all names one Unicode normalisation.
    @Test(arguments: Form.allCases)
    func aFolderInAnotherNormalisationIsNotLeftOut(_ form: Form) throws {
        let (composed, decomposed) = ("Caf\u{E9}", "Cafe\u{301}")
        try makeCopy(composed)
        try sandbox.remove("copy/.boxes.copy")
        try sandbox.move("copy/\(composed)", to: "copy/\(decomposed)")
        let boxes = try sandbox.boxes("store")
        try boxes.update(id: 1) { $0.folderName = "Eins" }
        let error = expectError(.damagedCopy) { try boxes.restore(from: source(form)) }
        #expect(error?.reason.contains("normalisation") == true)
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    /// If both spellings are there, the one that no item has is named.
    @Test func aSecondFolderInAnotherSpellingIsNamed() throws {
        try makeCopy()
        try sandbox.write("more", to: "copy/ONE/file")
        let boxes = try sandbox.boxes("store")
        #expect(try paths(boxes.restore(from: copy), in: copy) == ["ONE"])
        #expect(try boxes.notes(of: 1) == [.eggs])
    }

    @Test(arguments: Sweep.cases(Form.allCases, sample: 1)) func aWholeCopyIsUsedAsAWhole(
        _ form: Form
    ) throws {
        try makeCopy()
        #expect(try sandbox.boxes("other").restore(from: source(form)) == [])
        // Also the folder of a living collection, with its locks, removed items and unfinished changes.
        let options = DirectoryOptions(undoLimit: 3, keepsRemoved: .days(3))
        let living = try sandbox.boxes("living", options: options)
        try living.append(Box(id: 2, folderName: "Two"))
        let notes = try living.child(.notes, of: 2)
        try notes.append(.milk)
        try notes.remove(id: Note.milk.id)
        try living.append(Box(id: 3, folderName: "Three"))
        try living.remove(id: 3)
        let other = try sandbox.boxes("other")
        let report = try other.merge(from: sandbox.url("living")) { _, _ in .keepMine }
        #expect(report.added == [2] && report.unused == [])
    }

    @Test(arguments: Sweep.cases(Form.allCases, sample: 1))
    func filesOfOtherProgramsAreNamedAndNotUsed(_ form: Form) throws {
        try makeCopy()
        let unused = [
            ".DS_Store", "Thumbs.db", "__MACOSX/One/._notes.json", "notes/x", "other.json",
            "other/x.jpg", "One/.DS_Store", "One/photos/.hidden/x", "boxes/a", "One/more/.x",
        ]
        for path in unused { try sandbox.write("[{}]", to: "copy/\(path)") }
        let named = [
            ".DS_Store", "One/.DS_Store", "One/more/.x", "One/photos/.hidden", "Thumbs.db",
            "__MACOSX", "boxes/a", "notes", "other", "other.json",
        ]
        let source = try source(form)
        let boxes = try sandbox.boxes("other")
        #expect(try paths(boxes.restore(from: source), in: source) == named)
        #expect(try boxes.notes(of: 1) == [.eggs])
        #expect(try sandbox.text("other/One/more/list.txt") == "mine")
        #expect(try boxes.verify() == [])
        for path in unused { #expect(!sandbox.exists("other/\(path)"), "\(path)") }
        let report = try sandbox.boxes("third").merge(from: source) { _, _ in .keepMine }
        #expect(paths(report.unused, in: source) == named)
    }

    @Test func linksInACopyAreNamed() async throws {
        try makeCopy()
        try sandbox.makeSymbolicLink("copy/One/link", to: sandbox.url("store"))
        let boxes = try sandbox.boxes("other")
        #expect(try await paths(boxes.restore(from: copy), in: copy) == ["One/link"])
        #expect(!sandbox.exists("other/One/link"))
    }

    /// A program of Unix has unpacked an archive of Windows.
    @Test func aPathAsANameIsDamage() throws {
        try makeCopy()
        try sandbox.remove("copy/One")
        try sandbox.write("[]", to: "copy/One\\notes.json")
        try sandbox.remove("copy/.boxes.copy")
        let boxes = try sandbox.boxes("other")
        let error = expectError(.damagedCopy) { try boxes.restore(from: copy) }
        #expect(error?.reason.contains("backslash") == true)
        expectError(.damagedCopy) { try boxes.merge(from: copy) { _, _ in .keepMine } }
        #expect(try boxes.loaded().isEmpty)
    }

    @Test func aCopyInAFolderIsNamed() throws {
        try makeCopy()
        let boxes = try sandbox.boxes("other")
        let archive = try source(.archive, in: ["Backup"])
        try sandbox.makeFolder("outer")
        try sandbox.move("copy", to: "outer/Backup")
        for url in [archive, sandbox.url("outer")] {
            let error = expectError(.damagedCopy) { try boxes.restore(from: url) }
            #expect(error?.reason.contains("in its folder Backup") == true, "\(url.path)")
        }
        #expect(try boxes.loaded().isEmpty)
    }

    /// With its manifest, as another program makes it.
    @Test(arguments: Form.allCases) func anIndexOfTheManifestMustBeThere(_ form: Form) throws {
        try makeCopy()
        try sandbox.remove("copy/One/notes.json")
        let boxes = try sandbox.boxes("other")
        expectError(.damagedCopy) { try boxes.restore(from: source(form)) }
        #expect(try boxes.loaded().isEmpty)
    }
}
