import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Interrupted transfers whose other side cannot be read or is not at its place.
extension TransferRecoveryTests {
    /// Until it can be read, nobody knows which side has the items.
    @Test(arguments: [("a/from", "to"), ("to", "a/from")])
    func damagedSideOfATransferBlocksChangesOfTheOtherButNotItsLoads(
        _ healthy: String, _ damaged: String
    ) throws {
        try transfer(until: .movedFiles)
        let index = "\(damaged)/boxes.json"
        let text = try sandbox.text(index)
        try sandbox.write("damaged", to: index)
        let boxes = try sandbox.boxes(healthy)
        #expect(boxes.items.map(\.id) == (healthy == "to" ? [9] : [1, 2]))
        let error = expectError(.indexConflict) {
            try boxes.append(Box(id: 10, folderName: "Ten"))
        }
        #expect(error?.url == sandbox.url(index))
        #expect(try areWaiting() == (true, true))
        try sandbox.write(text, to: index)
        try expectEnded(transferred: false, openingFirst: healthy)
    }

    @Test(arguments: Sweep.cases([Step.begun, .movedFiles, .added], sample: 1))
    func sourceIsNotChangedWhileTheTargetIsAway(_ step: Step) throws {
        try transfer(until: step)
        try sandbox.move("to", to: "away")
        do {
            let boxes = try sandbox.boxes("a/from")
            #expect(boxes.items.map(\.id) == [1, 2])
            let error = expectError(.unfinishedChange) {
                try boxes.update(id: 1) { $0.folderName = "Uno" }
            }
            #expect(error?.url == sandbox.url("a/from/boxes.json"))
            #expect(error?.message.contains(sandbox.url("to/boxes.json").path) == true)
            if step == .begun {
                #expect(try boxes.child(.notes, of: 1).loaded().isEmpty)
            } else {
                // A new folder would be in the way of the one that comes back.
                expectError(.unfinishedChange) { try boxes.child(.notes, of: 1) }
                #expect(!sandbox.exists("a/from/One"))
            }
            #expect(try boxes.verify().map(\.kind) == [.leftoverTransaction])
        }
        #expect(try areWaiting().source)
        try sandbox.move("away", to: "to")
        try expectEnded(transferred: step.isAfterCommit, openingFirst: "a/from")
    }

    @Test func nothingMovesBackWhileTheSourceIsAway() throws {
        try transfer(until: .movedFiles)
        try sandbox.makeFolder("elsewhere")
        try sandbox.move("a", to: "elsewhere/a")
        do {
            let boxes = try sandbox.boxes("to")
            #expect(boxes.items.map(\.id) == [9])
            let error = expectError(.unfinishedChange) { try boxes.remove(id: 9) }
            #expect(error?.message.contains(sandbox.url("a/from/boxes.json").path) == true)
        }
        #expect(try areWaiting() == (true, true))
        try sandbox.move("elsewhere/a", to: "a")
        try sandbox.remove("elsewhere")
        try expectEnded(transferred: false, openingFirst: "to")
    }

    @Test func repairEndsTheWaitForATargetThatIsGone() throws {
        try transfer(until: .begun)
        try sandbox.remove("to")
        let boxes = try sandbox.boxes("a/from")
        expectError(.unfinishedChange) { try boxes.append(Box(id: 3, folderName: "Three")) }
        #expect(try boxes.repair().map(\.finding.kind) == [.leftoverTransaction])
        try boxes.append(Box(id: 3, folderName: "Three"))
        #expect(boxes.items.map(\.id) == [1, 2, 3])
        #expect(try boxes.verify().isEmpty)
    }

    @Test func transferWithoutItsOtherSideIsSetAside() throws {
        let leftovers = try CrashLeftovers(of: "boxes.json", in: "store", sandbox)
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 1, folderName: "One"))
        try leftovers.prepareHome(with: "../gone", index: "boxes.json", isCommitted: true)
        #expect(try boxes.verify().map(\.kind) == [.leftoverTransaction])
        #expect(try boxes.repair().map(\.finding.kind) == [.leftoverTransaction])
        #expect(boxes.items.map(\.id) == [1])
        #expect(try boxes.verify().isEmpty)
    }

    @Test func repairSetsNoTransferAsideWhoseTargetIsDamaged() throws {
        try transfer(until: .movedFiles)
        try sandbox.write("damaged", to: "to/boxes.json")
        let boxes = try sandbox.boxes("a/from")
        expectError(.indexConflict) { try boxes.repair() }
        #expect(try areWaiting().source)
        #expect(!sandbox.exists("a/from/boxes.recovered"))
    }

    /// The path to the target begins in the folder of the source.
    @Test func containerWithAnUnfinishedTransferDoesNotMoveWhileTheTargetIsAway() throws {
        try sandbox.write(#"[{"folderName":"a","id":1}]"#, to: "boxes.json")
        try transfer(until: .added)
        try sandbox.move("to", to: "away")
        let boxes = try sandbox.boxes()
        expectError(.unfinishedChange) { try boxes.update(id: 1) { $0.folderName = "b" } }
        expectError(.unfinishedChange) { try boxes.remove(id: 1) }
        #expect(sandbox.exists("a/from/.boxes.lock"))
        try sandbox.move("away", to: "to")
        try boxes.update(id: 1) { $0.folderName = "b" }
        #expect(try sandbox.boxes("b/from").isEmpty)
        #expect(try sandbox.boxes("to").items.map(\.id) == [9, 1, 2])
    }

    @Test func transferIsEndedBeforeItsFolderMovesWithManyOthers() throws {
        let names = ["a"] + (0..<40).map { "Box \($0)" }
        let items = names.enumerated().map { #"{"folderName":"\#($1)","id":\#($0)}"# }
        try sandbox.write("[\(items.joined(separator: ","))]", to: "boxes.json")
        for name in names.dropFirst() { try sandbox.makeFolder(name) }
        try transfer(until: .added)
        let boxes = try sandbox.boxes()
        try boxes.write { draft in
            for (id, name) in names.enumerated() {
                try draft.update(Box(id: id, folderName: "new \(name)"))
            }
        }
        #expect(try sandbox.leftovers("new a/from").isEmpty)
        #expect(try sandbox.boxes("new a/from").isEmpty)
        #expect(try sandbox.boxes("to").items.map(\.id) == [9, 1, 2])
    }

    /// A repair must not take the folder for one that no item owns.
    @Test func renameThatWasInterruptedStaysWhileATransferInsideCannotBeEnded() throws {
        let outer = try CrashLeftovers(of: "boxes.json", sandbox)
        try sandbox.write(#"[{"folderName":"b","id":1}]"#, to: "boxes.json")
        try outer.write(.rename("b", to: "a"))
        try transfer(until: .movedFiles)
        try sandbox.move("to", to: "away")
        let boxes = try Directory<Box>(at: sandbox.url, index: "boxes.json")
        try boxes.load()
        expectError(.unfinishedChange) { try boxes.repair() }
        #expect(sandbox.exists("a/from/boxes.json") && !sandbox.exists("boxes.recovered"))
        try sandbox.move("away", to: "to")
        try boxes.load()
        #expect(sandbox.exists("b/from/One/notes.json") && !sandbox.exists("a"))
    }
}
