import FileSystem
import Testing

struct RandomNameTests {
    private static let digits = "0123456789abcdef0123456789abcdef"

    @Test func digitsAreRecognisedAndDiffer() throws {
        let all = (0..<1_000).map { _ in RandomName.digits() }
        #expect(Set(all).count == all.count)
        for digits in all {
            #expect(digits.utf8.count == RandomName.digitCount)
            let name = try FileName(validating: ".a-\(digits).tmp")
            #expect(RandomName.matches(name, prefix: ".a-", suffix: ".tmp"))
        }
    }

    @Test(arguments: [
        digits, ".a-", ".a-\(digits)", ".a-\(digits).tm", ".b-\(digits).tmp",
        ".a-\(digits)0.tmp", ".a-\(digits.dropLast()).tmp", ".a-\(digits.uppercased()).tmp",
        ".a-\(digits.dropLast())g.tmp", "x.a-\(digits).tmp", ".a-\(digits).tmpx",
        ".a-\(digits.dropLast()).a-.tmp", ".a-\(digits.dropLast())\u{301}.tmp",
    ])
    func otherNameIsNotRecognised(_ text: String) throws {
        let name = try FileName(validating: text)
        #expect(!RandomName.matches(name, prefix: ".a-", suffix: ".tmp"))
    }

    @Test func prefixAndSuffixDoNotOverlap() {
        #expect(!RandomName.matches("a", prefix: "a", suffix: "a"))
        #expect(!RandomName.matches("a", prefix: "", suffix: "aa"))
    }
}
