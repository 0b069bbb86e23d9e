import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

struct FreeFolderNameTests {
    let sandbox: Sandbox
    let boxes: Directory<Box>

    init() throws {
        sandbox = try Sandbox()
        boxes = try sandbox.boxes()
    }

    @Test func folderThatDoesNotExistHasOnlyTheNamesOfItsIndexTaken() throws {
        #expect(try boxes.freeFolderName(for: "AC/DC") == "AC-DC")
        #expect(try boxes.freeFolderName(for: "Boxes") == "Boxes 2")
        #expect(try sandbox.paths() == [])
    }

    @Test func namesOfItemsAreTaken() throws {
        try boxes.append(Box(id: 1, folderName: "Trip"))
        #expect(try boxes.freeFolderName(for: "trip") == "trip 2")
        #expect(try boxes.freeFolderName(for: "trip", beside: ["Trip 2"]) == "trip 3")
    }

    @Test func taskGetsTheSameName() async throws {
        try await boxes.append(Box(id: 1, folderName: "Trip"))
        #expect(try await boxes.freeFolderName(for: "trip") == "trip 2")
    }

    @Test func namesOnTheDiskAreTaken() throws {
        try sandbox.write("", to: "file")
        try sandbox.makeFolder("empty")
        #expect(try boxes.freeFolderName(for: "FILE") == "FILE 2")
        #expect(try boxes.freeFolderName(for: "Empty") == "Empty 2")
    }

    @Test func namesOfOtherCollectionsAreTaken() throws {
        try sandbox.write("[]", to: "notes.json")
        try sandbox.write("", to: ".photos.lock")
        for name in ["Notes", "photos"] {
            let free = try boxes.freeFolderName(for: name)
            #expect(free == "\(name) 2")
            expectError(.nameTaken) { try boxes.append(Box(id: 1, folderName: name.lowercased())) }
            try boxes.append(Box(id: name.count, folderName: free))
        }
    }

    @Test func ownNameOfAnItemIsFreeForIt() throws {
        try boxes.append(contentsOf: [
            Box(id: 1, folderName: "Trip"), Box(id: 2, folderName: "Trip 2"),
        ])
        #expect(try boxes.freeFolderName(for: "Trip", of: 1) == "Trip")
        let upper = try boxes.freeFolderName(for: "TRIP", of: 1)
        try boxes.update(Box(id: 1, folderName: upper))
        #expect(sandbox.exists("TRIP"))
        #expect(try boxes.freeFolderName(for: "trip 2", of: 1) == "trip 2 2")
    }

    @Test func nameIsFreeForAnItemOfTheSameWrite() throws {
        try boxes.append(Box(id: 1, folderName: "Trip"))
        try boxes.write { draft in
            for id in 2...4 {
                let given = draft.items.map(\.folderName)
                let name = try boxes.freeFolderName(for: "Trip", beside: given)
                try draft.append(Box(id: id, folderName: name))
            }
        }
        #expect(boxes.items.map(\.folderName) == ["Trip", "Trip 2", "Trip 3", "Trip 4"])
    }

    @Test func nameOfAnItemThatIsRemovedInTheSameWriteIsNotFree() throws {
        try boxes.append(Box(id: 1, folderName: "Trip"))
        try boxes.write { draft in
            try draft.remove(id: 1)
            let name = try boxes.freeFolderName(for: "Trip")
            try draft.append(Box(id: 2, folderName: name))
        }
        #expect(boxes.items.map(\.folderName) == ["Trip 2"])
    }

    @Test func indexThatCannotBeReadGivesNoName() throws {
        try sandbox.write("{", to: "damaged/boxes.json")
        let boxes = try Directory<Box>(at: sandbox.url("damaged"), index: "boxes.json")
        expectError(.damagedIndex) { try boxes.freeFolderName(for: "Trip") }
    }
}
