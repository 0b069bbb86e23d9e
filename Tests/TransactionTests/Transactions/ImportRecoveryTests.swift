import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Recovery of imports, and of removals of files.
@Suite(.timeLimit(.minutes(30))) struct ImportRecoveryTests {
    let sandbox: Sandbox
    let leftovers: CrashLeftovers
    /// The names of the files in the stage, and those that they get.
    let files: [(staged: FileName, asset: FileName)]
    let imports: [Move]

    /// Makes three staged files and their intent; none of the files has moved.
    init() throws {
        sandbox = try Sandbox()
        leftovers = try CrashLeftovers(of: "pieces.json", sandbox)
        files = try ["1", "2", "3"].map { number in
            (try FileName(validating: number), try FileName(validating: "piece\(number)"))
        }
        imports = [
            Move(
                from: .init(staged: []), to: .init(assets: "pieces"), names: files.map(\.staged),
                newNames: files.map(\.asset))
        ]
        try leftovers.write(Intent(imports: imports))
        for file in files {
            try sandbox.write(file.staged.string, to: "\(leftovers.staging)/\(file.staged)")
        }
        try sandbox.makeFolder("pieces")
    }

    private func moveFiles(_ count: Int) throws {
        for file in files.prefix(count) {
            try sandbox.move(
                "\(leftovers.staging)/\(file.staged)", to: "pieces/\(file.asset)")
        }
    }

    private func commit() throws {
        let items = (1...3).map { #"{"fileName":"piece\#($0)","id":\#($0),"title":""}"# }
        try sandbox.write("[\n\(items.joined(separator: ",\n"))\n]\n", to: "pieces.json")
    }

    /// After a power loss, a moved file can have its old name and its new name.
    @Test func rollbackRemovesTheNewNameOfAFileThatHasBoth() throws {
        try sandbox.makeHardLink("pieces/piece2", to: "\(leftovers.staging)/2")
        let pieces = try sandbox.pieces()
        #expect(!sandbox.exists("pieces"))
        #expect(try pieces.verify().isEmpty)
    }

    /// A copy of the folder around it does not recover it first.
    @Test func aFileThatHasBothNamesIsOneFileInACopy() throws {
        let boxes = try sandbox.boxes()
        try boxes.append(Box(id: 1, folderName: "One"))
        let inner = try CrashLeftovers(of: "pieces.json", in: "One", sandbox)
        try sandbox.write("", to: "One/.pieces.lock")
        try inner.write(Intent(imports: imports))
        try sandbox.write("1", to: "\(inner.staging)/1")
        try sandbox.makeHardLink("One/pieces/piece1", to: "\(inner.staging)/1")
        try boxes.copy(to: sandbox.url("copy"))
        let pieces = try sandbox.pieces("copy/One")
        #expect(!sandbox.exists("copy/One/pieces"))
        #expect(try pieces.verify().isEmpty)
    }

    @Test func committedImportIsKept() throws {
        try moveFiles(3)
        try commit()
        let pieces = try sandbox.pieces()
        #expect(
            try pieces.items.map { try pieces.data(of: $0.id) }
                == ["1", "2", "3"].map { Data($0.utf8) })
        #expect(!sandbox.exists(".staging"))
        #expect(try pieces.verify().isEmpty)
    }

    @Test(arguments: 0...2) func unknownFileWithTheNameOfAnImportStays(_ moved: Int) throws {
        try moveFiles(moved)
        try sandbox.write("mine", to: "pieces/piece3")
        let pieces = try sandbox.pieces()
        #expect(try sandbox.text("pieces/piece3") == "mine")
        #expect(try sandbox.tree("pieces").count == 1)
        #expect(!sandbox.exists(".staging"))
        #expect(try pieces.verify().map(\.kind) == [.orphanAsset])
    }

    @Test(arguments: 1...2) func removalIsCompletedForFilesThatNoItemHas(_ kept: Int) throws {
        try moveFiles(3)
        try leftovers.write(Intent(removedFiles: files.map(\.asset)))
        let items = (1...3).prefix(kept).map {
            #"{"fileName":"piece\#($0)","id":\#($0),"title":""}"#
        }
        try sandbox.write("[\(items.joined(separator: ","))]", to: "pieces.json")
        let pieces = try sandbox.pieces()
        try pieces.checkpoint()
        #expect(try sandbox.tree("pieces").count == kept)
        #expect(!sandbox.exists(".staging"))
        #expect(try pieces.verify().isEmpty)
    }

    @Test func loadDuringACommitOfAnotherProcessDoesNotRecover() throws {
        try moveFiles(3)
        let lock = try #require(try leftovers.folder.tryLock())
        try withExtendedLifetime(lock) {
            let pieces = try sandbox.pieces()
            #expect(pieces.isEmpty)
            #expect(sandbox.exists(leftovers.staging))
        }
    }

    @Test(arguments: [true, false]) func damagedIntentMovesNothing(
        _ isOld: Bool
    ) throws {
        let whole = try Intent(imports: imports).encoded()
        var flipped = whole
        flipped[10] ^= 1
        let ofNothing = Array("00000000\n".utf8)
        for torn in [[], ofNothing, Array(whole.prefix(20)), Array(whole.dropLast()), flipped] {
            try sandbox.write(Data(torn), to: "\(leftovers.staging)/intent")
            if isOld { try sandbox.setAge(25 * 60 * 60, of: leftovers.staging) }
            try sandbox.write("orphan", to: "pieces/piece1")
            let pieces = try sandbox.pieces()
            try pieces.append(contentsOf: [])
            #expect(try sandbox.text("pieces/piece1") == "orphan")
            #expect(sandbox.exists(leftovers.staging) != isOld)
            #expect(sandbox.exists("\(leftovers.staging)/1") != isOld)
        }
    }

    @Test(arguments: [(23.0, true), (25.0, false)]) func stageIsRemovedAfterADay(
        _ stage: (hours: Double, stays: Bool)
    ) throws {
        try sandbox.remove("\(leftovers.staging)/intent")
        try sandbox.write("theirs", to: ".staging/other~\(UUID())/1")
        try sandbox.write("theirs", to: ".staging/pieces~short/1")
        for path in try sandbox.tree(".staging").keys {
            try sandbox.setAge(stage.hours * 60 * 60, of: ".staging/\(path)")
        }
        try sandbox.setAge(stage.hours * 60 * 60, of: leftovers.staging)
        _ = try sandbox.pieces()
        #expect(sandbox.exists(leftovers.staging) == stage.stays)
        #expect(sandbox.exists(".staging/pieces~short/1"))
        #expect(try sandbox.tree(".staging").keys.contains { $0.hasPrefix("other~") })
    }

    @Test func temporaryIndexesAreRemovedAndNothingElse() throws {
        let digits = RandomName.digits()
        let ours = ".pieces.\(digits).tmp"
        let others = [
            ".other.\(digits).tmp", ".pieces.\(digits.dropFirst()).tmp", ".pieces.\(digits)",
            "pieces.\(digits).tmp", ".pieces.\(digits.uppercased())x.tmp", ".pieces.tmp",
        ]
        for name in [ours] + others { try sandbox.write("[]", to: name) }
        let pieces = try sandbox.pieces()
        try pieces.write { _ in }
        #expect(!sandbox.exists(ours))
        for name in others { #expect(sandbox.exists(name), "\(name)") }
    }

    /// A recovery deletes files in the background, beside which a verification looks at them.
    @Test func whatRecoveryIsDeletingIsNoFinding() throws {
        let disk = MemoryFileSystem()
        func photos(on process: ProcessFileSystem) throws -> Directory<Photo> {
            try Directory(at: URL(filePath: "/store"), index: "photos.json", on: process)
        }
        try photos(on: ProcessFileSystem(disk)).insert(Data("old".utf8))
        do {
            let process = ProcessFileSystem(disk) { _, call in
                call.hasPrefix("rename ") && call.hasSuffix("/photos.json") ? .killed : .works
            }
            let photos = try photos(on: process)
            try photos.load()
            let stage = try photos.makeStage()
            try stage.write(Data("new".utf8))
            _ = try? photos.write(importing: stage) { draft, files in
                try draft.remove(id: draft.items[0].id)
                try draft.append(Photo(files[0]), file: files[0])
            }
            #expect(process.isDead)
        }
        try disk.buryOwners()
        let interruption = Interruption()
        let process = interruption.process(on: disk, beforeCall: "remove ", "/1")
        let photos = try photos(on: process)
        interruption.set { try #expect(photos.verify() == []) }
        try photos.load()
        photos.core.background.wait()
        #expect(interruption.hasRun)
        #expect(try photos.data(of: photos.items[0].id) == Data("old".utf8))
        #expect(disk.image.leftovers == [])
    }
}
