import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Files and links of others in the place of the folders `.staging` and `.trash`.
struct ForeignEntryTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test(
        arguments: Sweep.cases([".staging", ".trash"], sample: 1),
        Sweep.cases([true, false], sample: 1))
    func fileOrLinkInPlaceOfAnOwnFolderStopsOnlyTheChangesThatNeedIt(
        _ name: String, _ isLink: Bool
    ) throws {
        let store = try sandbox.twoBoxes()
        try store.child(.photos, of: 1).insert(Data([1]))
        if isLink {
            try sandbox.makeSymbolicLink(name, to: sandbox.makeFolder("One"))
            try sandbox.makeSymbolicLink("One/\(name)", to: sandbox.makeFolder("Two"))
        } else {
            try sandbox.write("mine", to: name)
            try sandbox.write("mine", to: "One/\(name)")
        }
        let boxes = try Directory<OtherBox>(at: sandbox.url, index: "boxes.json")
        try boxes.load()
        #expect(boxes.count == 2)
        #expect(try boxes.verify().isEmpty)
        try boxes.append(OtherBox(id: 3, folderName: "Three"))
        let photos = try boxes.child(.photos, of: 1)
        try photos.load()
        #expect(try photos.readFirst() == Data([1]))
        #expect(try photos.verify().isEmpty)
        try photos.repair()
        try photos.checkpoint()

        if name == ".trash" {
            // Only an undo needs it.
            try boxes.remove(id: 3)
            try boxes.append(OtherBox(id: 3, folderName: "Three"))
        }
        let refused: [() throws -> Void] =
            name == ".trash"
            ? []
            : [
                { try boxes.remove(id: 2) },
                { try boxes.update(id: 2) { $0.folderName = "Zwei" } },
                { try photos.insert(Data([2])) },
                { _ = try photos.makeStage() },
                { try photos.remove(id: photos.items[0].id) },
            ]
        for change in refused {
            let error = expectError(.nameTaken, "\(name)", change)
            #expect(error?.url.lastPathComponent == name)
        }
        #expect(sandbox.exists("Two/notes.json"))
        #expect(try photos.readFirst() == Data([1]))
        if !isLink { #expect(try sandbox.text(name) == "mine") }
        #expect(sandbox.exists(name) && sandbox.exists("One/\(name)"))

        try sandbox.remove(name)
        try sandbox.remove("One/\(name)")
        try boxes.remove(id: 2)
        try photos.insert(Data([2]))
        #expect(boxes.count == 2 && photos.count == 2)
    }
}
