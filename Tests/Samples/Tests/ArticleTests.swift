import Foundation
import Testing

/// The code of an article is compiled: it is quoted from the samples and their tests.
struct ArticleTests {
    private static let samples = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent()

    /// The lines of the Swift code blocks of an article, without their indentation.
    private func blocks(of article: String) throws -> [[Substring]] {
        let url = Self.samples.deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/Directory/Directory.docc/\(article).md")
        let parts = try String(contentsOf: url, encoding: .utf8).components(separatedBy: "```")
        return parts.indices.filter { $0 % 2 == 1 && parts[$0].hasPrefix("swift\n") }
            .map { lines(parts[$0]).dropFirst().map(\.self) }
    }

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.isEmpty }
    }

    @Test(arguments: [
        ("EvolvingModels", ["Evolution/Evolution.swift", "Tests/EvolvingModelsTests.swift"]),
        ("LiveViews", ["Errands/ErrandsModel.swift", "Tests/ErrandsTests.swift"]),
        ("Importing", ["TripLog/Models.swift", "TripLog/TripLog.swift"]),
        (
            "PreviewsAndTests",
            ["MemoryVolume/TripsModel.swift", "MemoryVolume/TripsModelTests.swift"]
        ),
    ])
    func codeOfTheArticleIsQuoted(_ article: String, _ sources: [String]) throws {
        let code = try sources.flatMap {
            lines(try String(contentsOf: Self.samples.appending(path: $0), encoding: .utf8))
        }
        let blocks = try blocks(of: article)
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(code.firstRange(of: block) != nil, "\(block.joined(separator: "\n"))")
        }
    }
}
