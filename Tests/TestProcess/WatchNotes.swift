import Directory
import Foundation
import StoreModel

/// Watches a collection of notes and prints the number of notes after each change.
///
/// A line on standard input ends the watching, which prints -1; the next line, or the end of the
/// input, ends the program.
enum WatchNotes: Command {
    static let usage = "watch-notes FOLDER"

    static func run(_ arguments: [String]) throws {
        let notes = try Directory<Note>(
            at: URL(filePath: arguments[0], directoryHint: .isDirectory), index: "notes.json")
        let changes = notes.changes
        // Detached, because the main actor waits for the input. The reports are best effort: a
        // process that nobody reads from is about to be killed.
        Task.detached {
            for await _ in changes { try? report(notes.items.count) }
        }
        let watching = Task.detached {
            await notes.watch()
            try? report(-1)
        }
        _ = readLine()
        watching.cancel()
        _ = readLine()
    }
}
