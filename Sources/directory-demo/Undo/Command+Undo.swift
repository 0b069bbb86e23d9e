import Directory
import Foundation

extension Command {
    static let undo = Command(
        "undo", "", options: [.dryRun, .skip], "Undo the newest change.",
        """
        Undoes the changes of new, rename, remove, import, move, note and remove-note, the
        newest first, up to \(Store.historyLimit) changes. If others have changed the same items since,
        nothing is done; --skip then goes on to the change before it.
        """
    ) { call in
        let history = try call.store.history()
        do {
            try history.load()
        } catch let error as DirectoryError
            where [.damagedIndex, .undecodable].contains(error.code)
        {
            let folder = history.url.deletingLastPathComponent().path
            throw Failure(error.message, hint: "To begin a new history, remove \(folder)")
        }
        guard let step = history.items.last else { throw Failure("there is nothing to undo") }
        let title = step.title.printable
        let isSkipped = call.has(.skip)
        if call.has(.dryRun) { return print("Would \(isSkipped ? "skip" : "undo"): \(title)") }
        let isChanged = try isSkipped ? false : call.store.undo(step)
        try history.changing { _ = try $0.removeAll { $0.id == step.id } }
        if isSkipped { return call.say("Skipped: \(title)") }
        let names = call.store.projects.items.map(\.name)
        if let last = call.lastProject, !names.contains(last) { call.lastProject = nil }
        call.say("\(isChanged ? "Undone" : "Was undone already"): \(title)")
    }
}
