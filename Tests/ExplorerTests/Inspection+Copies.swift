import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport

extension Inspection {
    /// Checks that a new copy is whole, and is there if it was made.
    func checkCopy(_ expectation: Expectation) throws {
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

    /// Checks that a copy that other programs have made can be used, which must change nothing in the store.
    func checkCopyByHand(_ expectation: Expectation) throws {
        // A file that a power loss has left under two names is two files in the copy, one of which nobody owns.
        guard second == .copyStore, !hasLostPower else { return }
        let copy = try Session(at: ByHand.copy, on: ProcessFileSystem(disk))
        var tree = try copy.tree()
        for index in tree.projects.indices {
            tree.projects[index].notes.removeAll { $0 == ByHand.copyStore.note }
        }
        guard expectation.moments.contains(tree) else {
            throw Violation("the copy made by hand has \(tree)")
        }
        try verify(copy)
        try copy.changeAll()
        copy.waitForBackground()
    }
}

extension Session {
    /// Changes each collection: adds a note, a photograph and a box to each box.
    func changeAll() throws {
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
