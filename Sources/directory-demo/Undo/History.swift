import Directory
import Foundation

/// The newest changes that commands made, in the hidden folder `.undo`.
///
/// A change is recorded after it was made: if the command is killed in between, the change stays, and `undo` passes it
/// over. The collections keep removed items themselves, with a record or without one.
struct History {
    /// How many changes can be undone.
    static let limit = 10

    let steps: Directory<Step>

    /// Opens the history of a store, and reads nothing; the folder is made with the first record.
    init(of store: Store) throws {
        let folder = store.folder.absoluteURL.appending(path: ".undo", directoryHint: .isDirectory)
        var options = Store.options
        // A power loss can drop the newest records; then their changes can no longer be undone.
        options.durability = .relaxed
        options.keepsRemoved = nil
        steps = try Directory(at: folder, index: "steps.json", options: options)
    }

    /// Reads all records.
    ///
    /// - Throws: ``Failure`` with the remedy if the index is damaged.
    func load() throws {
        do {
            try steps.load()
        } catch let error as DirectoryError where error.isDamage {
            throw Failure(
                error.message,
                hint: "Set it aside with: directory-demo verify --repair")
        }
    }

    /// Adds a record, and drops the oldest ones if there are too many.
    func append(_ step: Step) throws {
        try steps.commit { draft in
            try draft.append(step)
            try draft.remove(ids: draft.items.dropLast(Self.limit).map(\.id))
        }
    }

    /// Removes a record that is not needed any more.
    func remove(_ step: Step) throws {
        try steps.changing { _ = try $0.removeAll { $0.id == step.id } }
    }

    /// Renames a damaged index and its journal, so that a new index can be made.
    ///
    /// - Returns: The files, and their new names.
    /// - Throws: ``Failure`` if a file cannot be renamed.
    func setAsideDamage() throws -> [(file: URL, newName: String)] {
        do {
            try steps.load()
            return []
        } catch let error as DirectoryError where error.isDamage {
            let mark = "damaged-\(UUID().uuidString.prefix(8))"
            let folder = steps.url.deletingLastPathComponent()
            return try ["steps.json", ".steps.journal"].compactMap { name in
                let file = folder.appending(path: name)
                let newName = "\(name).\(mark)"
                let old = file.path(percentEncoded: false)
                if rename(old, folder.appending(path: newName).path(percentEncoded: false)) == 0 {
                    return (file, newName)
                }
                if errno != ENOENT { throw Failure.ofSystem("cannot set \(old) aside") }
                return nil
            }
        }
    }
}

extension Store {
    /// Records the change of a command, after the command has closed its collections.
    ///
    /// If that fails, the change is on disk nevertheless, so the command has not failed.
    func record(_ title: String, _ action: Step.Action) {
        do {
            try History(of: self).append(Step(title: title, action: action))
        } catch {
            Output.report("this cannot be undone: \(Failure(error).message)")
        }
    }
}

extension DirectoryError {
    /// Whether the bytes of the index are the reason.
    var isDamage: Bool { [.damagedIndex, .undecodable].contains(code) }
}
