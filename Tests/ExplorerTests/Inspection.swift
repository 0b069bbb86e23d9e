import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport

/// The last opening of a tree, which must find all that was promised and nothing else.
struct Inspection {
    private(set) var disk: MemoryFileSystem
    let mode: CommitMode
    /// Whether a power loss may have taken the file that names the owner of a stage.
    let hasLostPower: Bool
    /// A number of any size: the order in which the tree is read.
    let choice: UInt64

    mutating func check(_ expectation: Expectation) throws {
        var expectation = expectation
        if expectation.schedule.second == .edit, try endConflict() {
            expectation.second = [.inDoubt]
        }
        let endings = "first: \(expectation.first), second: \(expectation.second)"
        do {
            let trees = expectation.trees
            guard !trees.isEmpty else { throw Violation("no order explains this") }
            try checkCopy(expectation)
            try check(trees)
        } catch {
            throw Violation("\(error); \(endings)")
        }
    }

    private mutating func check(_ trees: Set<Tree>) throws {
        var session = try session
        if choice & 1 == 1 { try verify(session, accepting: hasLostPower ? .leftoverStage : nil) }
        let tree = try session.tree(archiveFirst: choice & 2 == 2)
        guard trees.contains(tree) else {
            let expected = trees.map(\.description).sorted().joined(separator: " or ")
            throw Violation("it holds \(tree) and not \(expected)")
        }
        if hasLostPower {
            // Recovery can have given files back to a stage whose owner nobody knows.
            session.waitForBackground()
            disk = disk.aDayLater
            session = try self.session
            _ = try session.tree(archiveFirst: false)
        }
        try verify(session)
        session.waitForBackground()
        try checkFiles(of: tree)
        try session.changeAll()
        session.waitForBackground()
    }

    /// Ends the conflict of an index that was edited while it had a journal, or while one was made: an editor locks nothing.
    ///
    /// - Returns: Whether there was one, in the store or in the new copy.
    private func endConflict() throws -> Bool {
        // Recovery gives a container its folder, unless it waits for the end of the conflict.
        let session = try session
        for boxes in [session.projects, session.archive] { try boxes.load() }
        session.waitForBackground()
        var hasConflict = try disk.endConflict(below: "/store")
        let copy = Session.newCopy.path
        if try disk.unlessMissing({ try disk.openFolder(at: copy) }) != nil {
            hasConflict = try disk.endConflict(below: copy) || hasConflict
        }
        return hasConflict
    }

    private var session: Session {
        get throws {
            // No other process is left: a lock is only held by a thread of this one, for a moment.
            try Session(on: ProcessFileSystem(disk), mode, lockTimeout: .seconds(5))
        }
    }

    private func verify(_ session: Session, accepting accepted: Finding.Kind? = nil) throws {
        // An editor that is interrupted leaves its temporary file.
        let findings = try session.findings().filter {
            $0.kind != accepted && ($0.kind != .unknownFile || !$0.path.hasSuffix("~"))
        }
        guard findings.isEmpty else {
            let texts = findings.map { "\($0.kind.rawValue) \($0.path)" }
            throw Violation("found: \(texts.joined(separator: "; "))")
        }
    }

    /// Checks that a new copy is whole, and is there if it was made.
    private func checkCopy(_ expectation: Expectation) throws {
        let parent = Session.newCopy.deletingLastPathComponent()
        let disk = MemoryFileSystem(disk.image)
        guard try disk.unlessMissing({ try disk.openFolder(at: Session.newCopy.path) }) != nil
        else {
            if expectation.hasMadeCopy { throw Violation("the copy is missing") }
            return
        }
        let copy = try Session(at: parent, on: ProcessFileSystem(disk))
        let projects = try copy.tree().projects
        guard expectation.copies.contains(projects) else {
            throw Violation("the copy has \(projects)")
        }
        let findings = try copy.findings()
        guard findings.isEmpty else { throw Violation("found in the copy: \(findings)") }
    }

    /// Checks that each photograph has one file, and that nothing temporary is left.
    private func checkFiles(of tree: Tree) throws {
        let found = try Found(below: "/store", on: disk)
        guard found.leftovers.isEmpty else {
            throw Violation("left over: \(found.leftovers.sorted())")
        }
        guard found.photos.sorted() == tree.files.sorted() else {
            throw Violation(
                "the files are \(found.photos.sorted()), the items \(tree.files.sorted())")
        }
    }
}

extension MemoryFileSystem {
    /// Keeps the journal of the index of notes that was changed by others while it had one; false if there is none.
    fileprivate func endConflict(below path: String) throws -> Bool {
        try Found(below: path, on: self).notes.contains { folder in
            let notes = try Directory<Note>(
                at: URL(filePath: folder), index: "notes.json", on: ProcessFileSystem(self))
            do {
                try notes.load()
                return false
            } catch let error as DirectoryError where error.code == .indexConflict {
                try notes.resolveConflict(keeping: .journal)
                try removeTree("notes.recovered", in: openFolder(at: folder))
                return true
            }
        }
    }
}

/// The photographs in a folder, the folders with notes, and what is temporary.
private struct Found {
    private(set) var photos: [String] = []
    private(set) var notes: [String] = []
    private(set) var leftovers: [String] = []

    init(below path: String, on disk: MemoryFileSystem) throws {
        try add(disk.openFolder(at: path), on: disk)
    }

    private mutating func add(_ folder: Handle, on disk: MemoryFileSystem) throws {
        for name in try disk.list(folder) {
            let ending = name.string.split(separator: ".").last
            let isTemporary = [".staging", ".trash"].contains(name.string)
            if name == "notes.json", !folder.path.contains("/.") { notes.append(folder.path) }
            if isTemporary || ["tmp", "recovered"].contains(ending) {
                leftovers.append("\(folder.path(of: name))")
            }
            if try disk.status(of: name, in: folder)?.kind == .folder {
                // What was removed recently can come back.
                if name.string == ".removed" { continue }
                try add(disk.openFolder(name, in: folder), on: disk)
            } else if let bytes = try disk.readAll(name, in: folder),
                let file = Photograph.file(of: bytes)
            {
                photos.append(file)
            }
        }
    }
}

extension Session {
    /// Changes each collection: adds a note, a photograph and a box to each box.
    fileprivate func changeAll() throws {
        for boxes in [projects, archive] { try change(boxes) }
    }

    private func change(_ boxes: Directory<Box>) throws {
        for box in boxes.items {
            let (notes, photos, parts) = try children(of: box.id, in: boxes)
            try notes.append(Note(id: 999, title: "z"))
            try photos.insert(Data("z".utf8))
            try change(parts)
        }
        try boxes.append(Box(id: 999, folderName: "Zz"))
    }
}

extension MemoryFileSystem {
    /// The same disk when all on it is older than a day.
    fileprivate var aDayLater: MemoryFileSystem { MemoryFileSystem(image) }
}
