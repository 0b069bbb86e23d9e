import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport

/// What a person does before the last opening, and what other programs may have left.
extension Inspection {
    /// Ends the conflict of an index that was edited while it had a journal, or while one was made: an editor locks nothing.
    ///
    /// - Returns: Whether there was one, in the store or in the new copy.
    func endConflict() throws -> Bool {
        var hasConflict = try disk.endConflict(of: Box.self, in: "/store/projects", "projects.json")
        // Recovery gives a container its folder, unless it waits for the end of the conflict.
        let session = try session
        for boxes in [session.projects, session.archive] { try boxes.load() }
        session.waitForBackground()
        hasConflict = try disk.endConflict(below: "/store") || hasConflict
        let copy = Session.newCopy.path
        if try disk.unlessMissing({ try disk.openFolder(at: copy) }) != nil {
            hasConflict = try disk.endConflict(below: copy) || hasConflict
        }
        return hasConflict
    }

    /// Gives the folder that was missed the name of its project, if recovery has ended an interrupted rename without it.
    func giveFolderToItsProject() throws {
        let projects = try session.projects
        try projects.load()
        let folder = try disk.openFolder(at: "/store/projects")
        guard let name = projects.items.first(where: { $0.id == 1 })?.folderName,
            try disk.status(of: FileName(validating: name), in: folder) == nil,
            !projects.items.contains(where: { $0.folderName == "Ab" })
        else { return }
        try disk.moveIfPresent(
            "Ab", in: folder, to: FileName(validating: name), in: folder)
    }

    /// Whether a person has left the file or the folder, which no item has.
    func isLeftByHand(_ finding: Finding) -> Bool {
        switch finding.kind {
        // An editor that is interrupted leaves its temporary file.
        case .unknownFile: finding.path.hasSuffix("~")
        case .unknownFolder:
            second == .editProjects && finding.path.hasSuffix("/Ed")
                || [.renameFolder, .missFolder].contains(second) && finding.path.hasSuffix("/Ab")
        default: false
        }
    }
}

extension MemoryFileSystem {
    /// Keeps the journal of the index of notes that was changed by others while it had one; false if there is none.
    fileprivate func endConflict(below path: String) throws -> Bool {
        try Found(below: path, on: self).indexes.contains { folder, index in
            index == "notes.json"
                ? try endConflict(of: Note.self, in: folder, index)
                : try endConflict(of: Box.self, in: folder, index)
        }
    }

    fileprivate func endConflict<Item: Codable & Identifiable & Sendable>(
        of type: Item.Type, in folder: String, _ index: FileName
    ) throws -> Bool where Item.ID: Codable & Sendable {
        let items = try Directory<Item>(
            at: URL(filePath: folder), index: index.string, on: ProcessFileSystem(self))
        do {
            try items.load()
            return false
        } catch let error as DirectoryError where error.code == .indexConflict {
            try items.resolveConflict(keeping: .journal)
            let recovered = index.string.replacing(".json", with: ".recovered")
            try removeTree(FileName(validating: recovered), in: openFolder(at: folder))
            return true
        }
    }
}
