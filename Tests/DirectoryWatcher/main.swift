// Watches a collection of notes and prints the number of notes after each change. A line on standard
// input ends the watching, which prints -1; the next line, or the end of the input, ends the program.
//
// directory-watcher FOLDER
import Directory
import Foundation
import StoreModel

/// Prints `number`; best effort, because a process that nobody reads from is about to be killed.
@Sendable nonisolated func report(_ number: Int) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
}

let notes = try Directory<Note>(
    at: URL(filePath: CommandLine.arguments[1], directoryHint: .isDirectory), index: "notes.json")
let changes = notes.changes
// Detached, because the main actor waits for the input.
Task.detached { [notes, changes] in
    for await _ in changes { report(notes.items.count) }
}
let watching = Task.detached { [notes] in
    await notes.watch()
    report(-1)
}
_ = readLine()
watching.cancel()
_ = readLine()
