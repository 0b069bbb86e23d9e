import Directory
import Foundation

/// A change that a command made, with the data to undo it.
struct Step: Codable, Identifiable, Sendable {
    enum Change: Codable, Sendable {
        case projects(Edit<Project>)
        case photos(Edit<Photo>, of: UUID)
        case notes(Edit<Note>, of: UUID)
        case moved(Photo, at: Int, from: UUID, to: UUID)
    }

    var id = UUID()
    /// The command and its operands, for a person.
    let title: String
    let change: Change
}

/// The items that a command added to a collection, changed or removed: before and after it.
///
/// The library keeps removed items, with their files and folders, for a while.
struct Edit<Item: Codable & Sendable>: Codable, Sendable {
    var before: [Item] = []
    var after: [Item] = []
}

extension Store {
    /// How many changes can be undone.
    static let historyLimit = 10

    /// The newest changes that commands made, in the hidden folder `.undo`.
    ///
    /// Nothing is read yet; the folder is made with the first record.
    func history() throws -> Directory<Step> {
        let folder = folder.absoluteURL.appending(path: ".undo", directoryHint: .isDirectory)
        // A power loss can drop the newest records; then their changes can no longer be undone.
        let options = DirectoryOptions(durability: .relaxed)
        return try Directory(at: folder, index: "steps.json", options: options)
    }

    /// Records the change of a command, after the command has closed its collections, and drops the oldest records.
    ///
    /// If that fails, or the command is killed before, the change is on disk nevertheless, so the command has not
    /// failed.
    func record(_ title: String, _ change: Step.Change) {
        do {
            try history().commit { draft in
                try draft.append(Step(title: title, change: change))
                try draft.remove(ids: draft.items.dropLast(Self.historyLimit).map(\.id))
            }
        } catch {
            Output.report("this cannot be undone: \(Failure(error).message)")
        }
    }
}
