import Directory
import Foundation

/// The newest changes that commands made, in the hidden folder `.undo`.
///
/// A change is recorded after it was made: if the command is killed in between, the change stays, and `undo` passes it
/// over. What was removed is kept by the collections themselves, with a record or without one.
struct History {
    /// How many changes can be taken back.
    static let limit = 10

    let steps: Directory<Step>

    /// Opens the history of a store, and reads nothing; the folder is made with the first record.
    init(of store: Store) throws {
        let folder = store.folder.absoluteURL.appending(path: ".undo", directoryHint: .isDirectory)
        var options = Store.options
        // Without its record, a change that was made just cannot be taken back.
        options.durability = .relaxed
        options.keepsRemoved = nil
        steps = try Directory(at: folder, index: "steps.json", options: options)
    }

    /// Reads all of it.
    ///
    /// - Throws: ``Failure`` with the remedy if the index is damaged.
    func load() throws {
        do {
            try steps.load()
        } catch let error as DirectoryError where error.isDamage {
            throw Failure(
                .operation, error.message,
                hint: "Set it aside with: directory-demo verify --repair")
        }
    }

    /// Adds a record, and drops the oldest ones if there are too many.
    func append(_ step: Step) throws {
        try waiting {
            try steps.write { draft in
                try draft.append(step)
                let old = draft.items.dropLast(Self.limit).map(\.id)
                try draft.remove(ids: old)
            }
        }
    }

    /// Removes a record that is not needed any more.
    func remove(_ step: Step) throws {
        try waiting { try steps.removeAll { $0.id == step.id } }
    }

    /// Ends what the history still does; it cannot be used afterwards.
    func close() throws {
        try waiting { try steps.close() }
    }

    /// Renames the index if it is damaged, and its journal, so that there is a new one.
    ///
    /// - Parameter show: Called with each file, and its new name.
    /// - Throws: ``Failure`` if a file cannot be renamed.
    func setAsideDamage(_ show: (URL, String) -> Void) throws {
        do {
            try steps.load()
        } catch let error as DirectoryError where error.isDamage {
            let mark = "damaged-\(UUID().uuidString.prefix(8))"
            for name in ["steps.json", ".steps.journal"] {
                let file = steps.url.deletingLastPathComponent().appending(path: name)
                let (old, new) = (file.path(percentEncoded: false), "\(name).\(mark)")
                let newPath = file.deletingLastPathComponent().appending(path: new)
                if rename(old, newPath.path(percentEncoded: false)) == 0 {
                    show(file, new)
                } else if errno != ENOENT {
                    let reason = String(cString: strerror(errno))
                    throw Failure(.operation, "cannot set \(old) aside: \(reason)")
                }
            }
        }
    }
}

extension Store {
    /// Records what a command did, after it has closed what it changed.
    ///
    /// If that fails, the change is on disk nevertheless, so the command has not failed.
    func record(_ title: String, _ action: Step.Action) {
        do {
            let history = try History(of: self)
            try history.append(Step(title: title, action: action))
            try history.close()
        } catch {
            let reason = Failure(error).message.printable
            Output.writeError("directory-demo: this cannot be taken back: \(reason)\n")
        }
    }
}

extension DirectoryError {
    /// Whether an index cannot be read as one.
    var isDamage: Bool { [.damagedIndex, .undecodable].contains(code) }
}
