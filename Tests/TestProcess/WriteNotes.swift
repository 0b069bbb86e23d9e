import Directory
import Foundation
import StoreModel

/// Commits changes to a collection and prints the number of each after its commit, until the number
/// is COUNT or the process is killed.
enum WriteNotes: Command {
    static let usage = "write-notes FOLDER WRITER COUNT rewrite|journal durable|relaxed"

    static func run(_ arguments: [String]) throws {
        let model = WriterModel(writer: Int(arguments[1]) ?? 0)
        let last = Int(arguments[2]) ?? 0
        var options = DirectoryOptions(durability: arguments[4] == "relaxed" ? .relaxed : .durable)
        if arguments[3] == "journal" {
            options.journalThreshold = 0
            options.journalReserve = 4096
            options.journalGrowth = 1000
        }
        let notes = try Directory<Note>(
            at: URL(filePath: arguments[0], directoryHint: .isDirectory), index: "notes.json",
            options: options)
        try notes.load()
        var count = model.find(in: notes.items).count
        while last == 0 || count < last {
            count += 1
            try commit(count, of: model, to: notes)
            try report(count)
        }
    }

    private static func commit(
        _ count: Int, of model: WriterModel, to notes: Directory<Note>
    ) throws {
        try notes.write { draft in
            let counter = Note(id: model.counter, title: "\(count)")
            if draft[id: counter.id] == nil {
                try draft.append(counter)
            } else {
                try draft.update(counter)
            }
            try draft.append(model.note(count))
            if count > WriterModel.kept {
                try draft.remove(id: model.note(count - WriterModel.kept).id)
            }
            let position = draft.items.index(of: counter.id) ?? 0
            if WriterModel.isCounterLast(after: count) {
                try draft.move(fromOffsets: [position], toOffset: draft.items.count)
            } else if WriterModel.isCounterLast(after: count - 1) {
                try draft.move(fromOffsets: [position], toOffset: 0)
            }
        }
    }
}
