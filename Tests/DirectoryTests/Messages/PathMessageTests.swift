import Directory
import DirectoryTestSupport
import Foundation
import Testing

/// Files whose paths are not UTF-8, which Foundation gives other names or none.
struct PathMessageTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    @Test(arguments: ["caf%E9.jpg", "caf%EF%BF%BD.jpg"])
    func importSaysThatAPathIsNotUTF8(_ name: String) throws {
        let photos = try sandbox.photos("store")
        let url = try #require(URL(string: sandbox.url.absoluteString + name))
        let error = #expect(throws: DirectoryError.self) { try photos.insert(copying: [url]) }
        #expect(error?.reason == "its path has bytes that are not UTF-8")
        #expect(error?.failureReason == "Its name has characters that no app can read.")
        #expect(photos.isEmpty)
    }
}
