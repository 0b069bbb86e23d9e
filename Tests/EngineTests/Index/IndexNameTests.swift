import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import Testing

struct IndexNameTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// `a.db` beside `a.json` would have the same lock, journal and assets.
    @Test(arguments: [
        "a.db", "a.JSON", "a.Json", "a", "a.json.txt", ".json", "json", ".a.json", "a/b.json", "",
        "a.recovered.json", "a.Recovered.json",
    ])
    func nameOfAnIndexEndsInJSON(_ name: String) throws {
        let error = expectError(.invalidLocation) {
            try Directory<Note>(at: sandbox.url, index: name)
        }
        #expect(error?.reason.contains("\"\(name)\"") == true)
        expectError(.invalidLocation) { try Directory<Note>(parent: sandbox.url, fileName: name) }
    }

    @Test(arguments: ["a.json", "a.b.json", "a b.json", "\u{E9}.json"])
    func everyOtherNameThatEndsInJSONWorks(_ name: String) throws {
        try Directory<Note>(at: sandbox.url, index: name).append(.eggs)
        #expect(try sandbox.notesOnDisk(name) == [.eggs])
    }
}
