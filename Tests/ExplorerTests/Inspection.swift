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
        let endings = "first: \(expectation.first), second: \(expectation.second)"
        do {
            let trees = expectation.trees
            guard !trees.isEmpty else { throw Violation("no order explains this") }
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

    private var session: Session {
        get throws {
            try Session(on: ProcessFileSystem(disk), mode, lockTimeout: .milliseconds(2))
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

    /// Checks that each photograph has one file, and that nothing temporary is left.
    private func checkFiles(of tree: Tree) throws {
        var photos: [String] = []
        var leftovers: [String] = []
        let image = disk.image
        for case .folder(let entries) in image.contents.values {
            for (name, inode) in entries {
                let ending = name.string.split(separator: ".").last
                if [".staging", ".trash"].contains(name.string)
                    || ["tmp", "recovered"].contains(ending)
                {
                    var inner: [String] = []
                    if case .folder(let entries)? = image.contents[inode] {
                        inner = entries.keys.map(\.string)
                    }
                    leftovers.append("\(name) \(inner.sorted())")
                }
                if case .file(let bytes)? = image.contents[inode],
                    let file = Photograph.file(of: bytes)
                {
                    photos.append(file)
                }
            }
        }
        guard leftovers.isEmpty else { throw Violation("left over: \(leftovers.sorted())") }
        guard photos.sorted() == tree.files.sorted() else {
            throw Violation("the files are \(photos.sorted()), the items \(tree.files.sorted())")
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
