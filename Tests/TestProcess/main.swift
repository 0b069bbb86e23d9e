// The programs that tests start, kill and stop: test-process COMMAND ARGUMENT...
import Foundation

let commands: [any Command.Type] = [
    WriteNotes.self, WatchNotes.self, ChangeTree.self, SaveFiles.self, HoldBoxes.self,
]
let words = Array(CommandLine.arguments.dropFirst())
let command = commands.first { command in
    let usage = command.usage.split(separator: " ")
    return words.first == usage.first.map(String.init) && words.count == usage.count
}
guard let command else {
    let lines = commands.map { "usage: test-process \($0.usage)\n" }
    FileHandle.standardError.write(Data(lines.joined().utf8))
    exit(64)
}
try await command.run(Array(words.dropFirst()))
