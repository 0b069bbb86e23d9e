import DirectoryTestSupport
import Foundation
import Testing

@testable import Directory

/// Each code that is declared has its texts, and a row in the article.
struct ErrorCodeTests {
    private static let codes: [(name: String, code: DirectoryError.Code)] = {
        let source = try? text("Collection/Values/Errors/DirectoryError+Code.swift")
        let pattern = #/static let (\w+) = Code\(rawValue: "(\w+)"\)/#
        return (source ?? "").matches(of: pattern).map {
            (String($0.1), DirectoryError.Code(rawValue: String($0.2)))
        }
    }()

    private static func text(_ path: String) throws -> String {
        try String(
            contentsOf: Fixtures.repository.appending(path: "Sources/Directory/\(path)"),
            encoding: .utf8)
    }

    @Test func eachHasTheNameOfItsMember() {
        #expect(Self.codes.count > 30)
        #expect(Self.codes.allSatisfy { $0.name == $0.code.rawValue })
    }

    @Test func eachHasTexts() {
        let codes = Set(Self.codes.map(\.code))
        #expect(codes.symmetricDifference(DirectoryError.Code.texts.keys) == [.ioFailure])
    }

    @Test func eachHasARowInTheArticle() throws {
        let article = try Self.text("Directory.docc/Errors.md")
        let missing = Self.codes.map(\.name).filter {
            !article.contains("| ``DirectoryError/Code/\($0)`` |")
        }
        #expect(missing.isEmpty)
    }
}
