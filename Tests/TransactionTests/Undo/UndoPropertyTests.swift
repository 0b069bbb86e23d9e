import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Random changes of a tree, taken back and made again.
struct UndoPropertyTests {
    private static let count = TestSize.choose(sample: 20, gate: 240, full: 100_000)

    /// A tree on a disk in memory, and the changes that were made.
    private final class Changes {
        let disk: MemoryFileSystem
        let notes: Directory<Note>
        let boxes: Directory<Box>
        var albums: [Int: Directory<Photo>] = [:]
        var random: SeededGenerator
        /// The collections that were changed, in order.
        var log: [any AnyCollection] = []
        private var lastID = 0

        init(_ random: SeededGenerator, journals: Bool, limit: Int) throws {
            disk = MemoryFileSystem()
            var options = DirectoryOptions(undoLimit: limit)
            options.journalThreshold = journals ? 0 : .max
            let process = ProcessFileSystem(disk)
            notes = try Directory(
                at: URL(filePath: "/store"), index: "notes.json", options: options, on: process)
            boxes = try Directory(
                at: URL(filePath: "/store"), index: "boxes.json", options: options, on: process)
            self.random = random
        }

        func number(_ range: Range<Int>) -> Int { Int.random(in: range, using: &random) }

        /// Makes a change of a collection, and logs it if there is a new step.
        private func change<Item>(
            _ directory: Directory<Item>, _ body: (Directory<Item>) throws -> Void
        ) throws {
            let before = directory.core.history.counts.undo
            do {
                try body(directory)
            } catch let error as DirectoryError
                where [
                    .duplicateID, .itemNotFound, .indexOutOfRange, .nameTaken,
                ].contains(error.code)
            {
            }
            if directory.core.history.counts.undo > before { log.append(directory) }
        }

        func make() throws {
            switch number(0..<10) {
            case 0..<4: try changeNotes()
            case 4..<7: try changeBoxes()
            default: try changePhotos()
            }
        }

        private func changeNotes() throws {
            let edits = (0..<number(1..<4)).map { _ in
                Edit.random(of: Array(notes.items), by: &random)
            }
            try change(notes) { notes in
                try notes.write { draft in for edit in edits { try edit.apply(to: &draft) } }
            }
        }

        private func changeBoxes() throws {
            let count = boxes.count
            lastID += 1
            let (box, place) = (
                Box(id: lastID, folderName: "b\(number(0..<20))"), number(0..<count + 1)
            )
            let (kind, other) = (number(0..<8), number(0..<count + 1))
            try change(boxes) { boxes in
                switch kind {
                case _ where count == 0, 0, 1, 2: try boxes.insert(box, at: place)
                case 3, 4: try boxes.remove(id: boxes.items[place % count].id)
                case 5: try boxes.move(fromOffsets: [place % count], toOffset: other)
                case 6:
                    let id = boxes.items[place % count].id
                    try boxes.update(Box(id: id, folderName: box.folderName))
                default:
                    try boxes.write { draft in
                        try draft.remove(id: draft.items[place % count].id)
                        try draft.insert(box, at: other % count)
                    }
                }
            }
        }

        private func changePhotos() throws {
            guard !boxes.isEmpty else { return }
            let id = boxes.items[number(0..<boxes.count)].id
            let album = try albums[id] ?? boxes.child(.photos, of: id)
            albums[id] = album
            try album.load()
            let (kind, count, bytes) = (
                number(0..<5), album.count, Data("\(number(0..<1_000_000))".utf8)
            )
            let place = number(0..<count + 1) % max(1, count)
            try change(album) { album in
                switch kind {
                case _ where count == 0, 0, 1: try album.insert([bytes, bytes + bytes])
                case 2: try album.remove(id: album.items[place].id)
                case 3: try album.move(fromOffsets: [place], toOffset: 0)
                default:
                    let stage = try album.makeStage()
                    try stage.write(bytes)
                    let id = album.items[place].id
                    _ = try album.write(importing: stage) { draft, files in
                        try draft.update(id: id, file: files[0]) { $0.replaceFile(by: files[0]) }
                    }
                }
            }
        }

        /// All visible files and folders, with the journals written into the indexes.
        ///
        /// An index without items can be missing, and so can a folder of assets without files.
        func tree() throws -> [String: [UInt8]?] {
            try notes.checkpoint()
            try boxes.checkpoint()
            for box in boxes.items {
                let album = try albums[box.id] ?? boxes.child(.photos, of: box.id)
                try album.checkpoint()
            }
            var tree: [String: [UInt8]?] = [:]
            try add(disk.openFolder(at: "/store"), "", to: &tree)
            return tree
        }

        private func add(_ folder: Handle, _ path: String, to tree: inout [String: [UInt8]?])
            throws
        {
            for name in try disk.list(folder) where !name.isHidden {
                let inner = "\(path)/\(name)"
                if try disk.status(of: name, in: folder)?.kind == .folder {
                    if name != "photos" { tree[inner] = .some(nil) }
                    try add(disk.openFolder(name, in: folder), inner, to: &tree)
                } else if let bytes = try disk.readAll(name, in: folder),
                    bytes != Array("[]\n".utf8)
                {
                    tree[inner] = bytes
                }
            }
        }
    }

    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func randomChangesTakenBackGiveTheFirstTreeByteForByte(_ journals: Bool) throws {
        let random = SeededGenerator()
        let (start, count) = (ContinuousClock.now, Self.count)
        let changes = try Changes(random, journals: journals, limit: count + 20)
        // The first tree is not empty, and stays when all later changes were taken back.
        while changes.log.count < 20 { try changes.make() }
        let (first, before) = (try changes.tree(), changes.log.count)
        var trees: [Int: [String: [UInt8]?]] = [:]
        while changes.log.count < before + count {
            try changes.make()
            if changes.log.count % (count / 20) == 0 {
                trees[changes.log.count] = try changes.tree()
            }
        }
        let last = try changes.tree()
        for position in (before..<changes.log.count).reversed() {
            if let tree = trees[position + 1] {
                #expect(try changes.tree() == tree, "\(random), \(position)")
            }
            let taken = try changes.log[position].undoLast()
            #expect(taken, "\(random), \(position)")
        }
        #expect(try changes.tree() == first, "\(random)")
        for position in before..<changes.log.count {
            let made = try changes.log[position].redoLast()
            #expect(made, "\(random), \(position)")
        }
        #expect(try changes.tree() == last, "\(random)")
        #expect(try changes.boxes.verify().isEmpty && changes.notes.verify().isEmpty)
        print(
            "undo: \(count) changes taken back and made again, journals: \(journals), \(random),",
            "\((ContinuousClock.now - start).components.seconds) s")
    }
}
