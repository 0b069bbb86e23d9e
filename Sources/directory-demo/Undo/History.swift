import Directory
import Foundation

/// The newest changes that commands made, and what they removed, in the hidden folder `.undo`.
///
/// What is removed is transferred there, so a kill leaves it in one of the two places. The change is
/// recorded after it was made: if the command is killed in between, the change stays and cannot be
/// taken back.
struct History {
    /// How many changes can be taken back.
    static let limit = 10

    let steps: Directory<Step>
    /// The photos that were removed.
    let photos: Directory<Photo>
    /// The projects that were removed.
    let projects: Directory<Project>

    /// Opens the history of a store; the folder is made with the first record.
    init(of store: Store) throws {
        let folder = store.folder.absoluteURL.appending(path: ".undo", directoryHint: .isDirectory)
        func open<Item>(
            _ index: String, _ durability: DirectoryOptions.Durability
        ) throws -> Directory<Item> {
            var options = Store.options
            options.durability = durability
            let collection = try Directory<Item>(at: folder, index: index, options: options)
            try collection.load()
            return collection
        }
        // Without its record, a change that was made just cannot be taken back.
        steps = try open("steps.json", .relaxed)
        photos = try open("photos.json", .durable)
        projects = try open("projects.json", .durable)
    }

    /// Records what a command did, and drops the oldest records with what was kept for them.
    func record(_ title: String, _ action: Step.Action) throws {
        try waiting {
            try steps.write { draft in
                let old = draft.items.dropLast(Self.limit - 1).map(\.id)
                try draft.remove(ids: old)
                try draft.append(Step(title: title, action: action))
            }
        }
        try waiting { try steps.close() }
        try prune(photos)
        try prune(projects)
    }

    /// Removes a record that is not needed any more.
    func remove(_ step: Step) throws {
        try waiting { try steps.remove(id: step.id) }
        try waiting { try steps.close() }
    }

    /// Removes for good what no record needs, and closes the collection if it was ever used.
    private func prune<Item>(_ removed: Directory<Item>) throws where Item.ID == UUID {
        guard !removed.isEmpty else { return }
        let kept = Set(steps.items.compactMap(\.keptID))
        try waiting { try removed.removeAll { !kept.contains($0.id) } }
        try waiting { try removed.close() }
    }
}

extension Store {
    /// Records what a command did, after it has closed what it changed.
    ///
    /// If that fails, the change is on disk nevertheless, so the command has not failed.
    func record(_ title: String, _ action: Step.Action) {
        do {
            try History(of: self).record(title, action)
        } catch {
            let reason = Failure(error).message.printable
            Output.writeError("directory-demo: this cannot be taken back: \(reason)\n")
        }
    }
}
