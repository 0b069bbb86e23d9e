import FileSystem
import Foundation
import Testing

struct FileNameTests {
    @Test(arguments: ["", ".", "..", "a/b", "/", "a\0b", String(repeating: "x", count: 256)])
    func textThatIsNotOneComponentIsInvalid(_ text: String) {
        #expect(FileName(text) == nil)
        #expect(throws: FileSystemError.self) { try FileName(validating: text) }
        #expect(throws: (any Error).self) {
            try JSONDecoder().decode([FileName].self, from: JSONEncoder().encode([text]))
        }
    }

    @Test(arguments: ["a", "...", ".hidden", "Ä", "a b", String(repeating: "x", count: 255)])
    func everyOtherNameIsValid(_ text: String) {
        #expect(FileName(text)?.string == text)
    }

    @Test func foldedNamesIgnoreCaseAndNormalisation() throws {
        let composed = try FileName(validating: "\u{C4}rger")
        let decomposed = try FileName(validating: "a\u{308}RGER")
        #expect(composed != decomposed)
        #expect(composed.folded == decomposed.folded)
        let sharp = try FileName(validating: "stra\u{DF}e")
        let double = try FileName(validating: "STRASSE")
        #expect(sharp.folded == double.folded)
    }
}
