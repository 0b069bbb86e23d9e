import Foundation
import StoreModel
import TestSupport

/// What belongs to a store when it is made.
extension GoldenStore.Maker {
    /// Replaces what says which machine and which process made the store.
    func removeMachine() throws {
        let none = "00000000"
        let system = "linux.00000000-0000-0000-0000-000000000000.pid:[1]"
        try GoldenStore.name(none, "owner.\(none).\(system).1.1", in: url)
    }

    /// Writes the notes that the writer had in memory, or else what a copy of the store holds.
    func writeExpectation(to file: URL) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        if let notes = expected["notes.json"] as? [Note] {
            return try encoder.encode(["notes.json": notes]).write(to: file)
        }
        let copy = try TemporaryFolder()
        let store = copy.url.appending(path: "store")
        try FileManager.default.copyItem(at: url, to: store)
        try JSONSerialization.data(
            withJSONObject: Contents.of(store),
            options: [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        ).write(to: file)
    }
}
