import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// After the commit of another process, only the items that it touched are asked for their names.
struct ChangedNamesTests {
    /// A container that counts how often it is asked for the name of its folder.
    struct CountedBox: Container {
        var id: Int
        var name: String
        var folderName: String {
            Self.calls.withLock { $0 += 1 }
            return name
        }

        static let calls = Mutex(0)
    }

    @Test func aChangeAfterThatOfAnotherProcessAsksNoOtherItems() throws {
        let sandbox = try Sandbox()
        var options = DirectoryOptions()
        options.journalThreshold = 0
        func boxes() throws -> Directory<CountedBox> {
            try Directory(
                at: sandbox.url, index: "boxes.json", options: options,
                on: ProcessFileSystem(LocalFileSystem()))
        }
        let (mine, others) = (try boxes(), try boxes())
        let count = TestSize.choose(sample: 50, gate: 200, full: 200)
        try mine.append(contentsOf: (0..<count).map { CountedBox(id: $0, name: "Box \($0)") })
        try others.append(CountedBox(id: count, name: "Box \(count)"))
        try mine.update(id: 1) { $0.name = "Box one" }
        try others.remove(id: 2)
        CountedBox.calls.withLock { $0 = 0 }
        try mine.update(id: 3) { $0.name = "Box three" }
        #expect(CountedBox.calls.withLock(\.self) < count / 4)
        #expect(try mine.verify() == [])
        // The name that the other process freed can be given again, and that of its new item cannot.
        try mine.append(CountedBox(id: 901, name: "Box 2"))
        expectError(.nameTaken) { try mine.append(CountedBox(id: 902, name: "box \(count)")) }
    }

    /// Also if items have the same names, or names that are the same folded.
    @Test func namesAreThoseOfAllItems() throws {
        var random = SeededGenerator()
        let coding = ItemCoding<Box>(.init(), url: URL(filePath: "/boxes.json"))
        let names = ["Ab", "aB", "Cd", "Ef", "Gh", "", ".hidden", "I/J"]
        for round in 0..<TestSize.choose(sample: 30, gate: 200, full: 200) {
            var snapshot = Snapshot.empty
            for step in 0..<12 {
                // Whether the names are known decides how they are computed.
                if Bool.random(using: &random) { _ = snapshot.names.value }
                var count = snapshot.elements.count
                let operations = try (0..<Int.random(in: 1...3, using: &random)).map { part in
                    try operation(100 * step + part, &count, snapshot, names, coding, &random)
                }
                guard let next = snapshot.applying(operations, coding)?.snapshot else { continue }
                snapshot = next
                let expected = OwnedNames(of: next.elements).folders
                let found = next.names.value.folders
                for name in names.compactMap({ FileName($0) }) {
                    #expect(
                        found.owner(of: name) == expected.owner(of: name),
                        "\(random), round \(round), \(name) of \(next.elements.map { $0.folder?.text })"
                    )
                }
            }
        }
    }

    private func operation(
        _ id: Int, _ count: inout Int, _ base: Snapshot, _ names: [String],
        _ coding: ItemCoding<Box>, _ random: inout SeededGenerator
    ) throws -> LineOperation {
        let name = names[Int.random(in: names.indices, using: &random)]
        let position = Int.random(in: 0...count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0 where position < base.elements.count:
            let line = base.elements[position].line
            count = max(0, count - 1)
            return .remove(at: position, checksum: CRC32.checksum(of: line))
        case 1 where position < base.elements.count:
            let id = base.elements[position].id.itemID(of: Box.self)
            let box = Box(id: id, folderName: name)
            return .replace(try coding.element(of: box).line, at: position)
        default:
            count += 1
            return .insert(try coding.element(of: Box(id: id, folderName: name)).line, at: position)
        }
    }
}
