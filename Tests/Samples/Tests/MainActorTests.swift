import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// A module whose declarations are on the main actor by default.
    struct MainActorTests {
        @Test func itemsOfAnAppOnTheMainActorAreStored() throws {
            let temporary = try TemporaryFolder()
            let folder = temporary.url.appending(path: "Notebooks").path
            #expect(try run("sample-main-actor", [folder]) == "Journey [\"Rain all day\"] \n")
        }
    }
#endif
