import Directory
import Foundation

/// The newest changes that commands made, and what they removed, in the hidden folder `.undo`.
///
/// A removal is recorded before it is made, and what it removes is transferred to the folder: after a
/// kill it is in one of the two places. Any other change is recorded after it was made: if the command
/// is killed in between, the change stays and cannot be taken back. Only what belongs to the oldest
/// record is removed for good, when there are too many; what has no record stays.
struct History {
    /// How many changes can be taken back.
    static let limit = 10

    let steps: Directory<Step>
    /// The photos that were removed.
    let photos: Directory<Photo>
    /// The projects that were removed.
    let projects: Directory<Project>

    /// Opens the history of a store, and reads nothing; the folder is made with the first record.
    init(of store: Store) throws {
        let folder = store.folder.absoluteURL.appending(path: ".undo", directoryHint: .isDirectory)
        func open<Item>(
            _ index: String, _ durability: DirectoryOptions.Durability
        ) throws -> Directory<Item> {
            var options = Store.options
            options.durability = durability
            return try Directory(at: folder, index: index, options: options)
        }
        // Without its record, a change that was made just cannot be taken back.
        steps = try open("steps.json", .relaxed)
        photos = try open("photos.json", .durable)
        projects = try open("projects.json", .durable)
    }

    /// Reads all of it; this ends what a killed process left half done.
    ///
    /// - Throws: ``Failure`` with the remedy if an index is damaged.
    func load() throws {
        do {
            try steps.load()
            try photos.load()
            try projects.load()
        } catch let error as DirectoryError where error.isDamage {
            throw Self.failure(error)
        }
    }

    fileprivate static func failure(_ damage: DirectoryError) -> Failure {
        Failure(
            .operation, damage.message, hint: "Set it aside with: directory-demo verify --repair")
    }

    /// Adds a record; ``trim()`` drops the oldest ones.
    func append(_ step: Step) throws {
        try waiting { try steps.append(step) }
    }

    /// Removes a record that is not needed any more.
    func remove(_ step: Step) throws {
        try waiting { try steps.removeAll { $0.id == step.id } }
    }

    /// Drops the oldest records if there are too many, after what was kept for them alone.
    func trim() throws {
        try load()
        let old = steps.items.dropLast(Self.limit)
        let needed = Set(steps.items.suffix(Self.limit).compactMap(\.keptID))
        let unneeded = Set(old.compactMap(\.keptID)).subtracting(needed)
        try remove(unneeded, from: photos)
        try remove(unneeded, from: projects)
        let ids = old.map(\.id)
        if !ids.isEmpty { try waiting { try steps.removeAll { ids.contains($0.id) } } }
    }

    private func remove<Item>(_ ids: Set<UUID>, from removed: Directory<Item>) throws
    where Item.ID == UUID {
        guard removed.items.contains(where: { ids.contains($0.id) }) else { return }
        try waiting { try removed.removeAll { ids.contains($0.id) } }
        try waiting { try removed.close() }
    }

    /// Ends what the history still does; it cannot be used afterwards.
    func close() throws {
        try waiting { try steps.close() }
    }
}

extension Store {
    /// Records what a command did, after it has closed what it changed.
    ///
    /// If that fails, the change is on disk nevertheless, so the command has not failed.
    func record(_ title: String, _ action: Step.Action) {
        tryToRecord {
            let history = try History(of: self)
            try history.append(Step(title: title, action: action))
            try history.trim()
            try history.close()
        }
    }

    /// Records a removal, and makes it with `remove`, which transfers what it removes to the history.
    ///
    /// If it cannot be recorded, it is made nevertheless.
    func record(
        _ title: String, _ action: Step.Action, before remove: (History) throws -> Void
    ) throws {
        let history = try History(of: self)
        let step = Step(title: title, action: action)
        let isRecorded = tryToRecord { try history.append(step) }
        do {
            try remove(history)
        } catch {
            // Best effort: taking back what was not removed does nothing.
            if isRecorded { try? history.remove(step) }
            if let damage = error as? DirectoryError, damage.isDamage {
                throw History.failure(damage)
            }
            throw error
        }
        guard isRecorded else { return }
        tryToRecord {
            try history.trim()
            try history.close()
        }
    }

    /// Says so if `body` fails, and returns whether it succeeded.
    @discardableResult private func tryToRecord(_ body: () throws -> Void) -> Bool {
        do {
            try body()
            return true
        } catch {
            let reason = Failure(error).message.printable
            Output.writeError("directory-demo: this cannot be taken back: \(reason)\n")
            return false
        }
    }
}

extension DirectoryError {
    /// Whether an index cannot be read as one.
    var isDamage: Bool { [.damagedIndex, .undecodable].contains(code) }
}
