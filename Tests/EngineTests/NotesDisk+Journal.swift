import DirectoryTestSupport
import FileSystem
import StoreModel
import TestSupport
import Testing

@testable import Directory

extension NotesDisk {
    var journal: Journal {
        get throws { try Journal(journalBytes) }
    }

    /// The offsets of the ends of the journal's header and of each record.
    var recordEnds: [Int] {
        get throws {
            let header = try journalBytes.prefix { $0 != UInt8(ascii: "\n") }.count + 1
            return try journal.records.reduce(into: [header]) {
                $0.append($0[$0.count - 1] + $1.size)
            }
        }
    }

    /// A disk on which a killed process left a journal with a record for each of `edits`; and the
    /// notes before the first record and after each record.
    static func withJournal(
        _ edits: [Edit], from first: [Note] = [.eggs],
        durability: DirectoryOptions.Durability = .durable
    ) throws -> (disk: NotesDisk, history: [[Note]]) {
        let disk = try NotesDisk()
        let process = ProcessFileSystem(disk.disk)
        let notes = try disk.notes(on: process, .init(durability: durability))
        try notes.append(contentsOf: first)
        var history = [Array(notes.items)]
        for edit in edits {
            try notes.write { try edit.apply(to: &$0) }
            history.append(Array(notes.items))
        }
        process.kill()
        try #require(disk.journal.records.count == edits.count)
        return (disk, history)
    }
}
