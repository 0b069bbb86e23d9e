import DirectoryTestSupport
import Foundation
import Testing

/// What the libraries say to the App Store about the calls that they make.
struct PrivacyManifestTests {
    private struct Manifest: Decodable {
        struct Use: Decodable {
            let NSPrivacyAccessedAPIType: String
            let NSPrivacyAccessedAPITypeReasons: [String]
        }
        let NSPrivacyTracking: Bool
        let NSPrivacyCollectedDataTypes: [String]
        let NSPrivacyAccessedAPITypes: [Use]
    }

    @Test(arguments: ["AppFolders", "Directory", "DirectoryReplicas", "FileStore", "Preferences"])
    func everyLibraryGivesTheReasonsForItsCalls(_ library: String) throws {
        let file = Fixtures.repository.appending(path: "Sources/\(library)/PrivacyInfo.xcprivacy")
        let manifest = try PropertyListDecoder().decode(
            Manifest.self, from: Data(contentsOf: file))
        let uses = Dictionary(
            uniqueKeysWithValues: manifest.NSPrivacyAccessedAPITypes.map {
                ($0.NSPrivacyAccessedAPIType, $0.NSPrivacyAccessedAPITypeReasons)
            })
        let prefix = "NSPrivacyAccessedAPICategory"
        #expect(
            uses
                == (library == "Preferences"
                    ? ["\(prefix)UserDefaults": ["CA92.1", "1C8F.1"]]
                    : ["\(prefix)FileTimestamp": ["C617.1", "3B52.1"]]))
        #expect(!manifest.NSPrivacyTracking)
        #expect(manifest.NSPrivacyCollectedDataTypes.isEmpty)
    }
}
