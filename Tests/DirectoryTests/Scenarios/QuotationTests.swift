import Foundation
import Testing

/// The articles quote samples that the tests build and run.
@Suite struct QuotationTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private func lines(of url: URL) throws -> [String] {
        try String(contentsOf: url, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map { String($0.drop(while: \.isWhitespace)) }
    }

    @Test(arguments: [("PreviewsAndTests", "MemoryVolume")])
    func articleQuotesItsSampleWordForWord(_ article: String, _ sample: String) throws {
        let folder = Self.root.appending(path: "Tests/Samples/\(sample)")
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        let sources = try files.map { try lines(of: $0).joined(separator: "\n") }
        let path = "Sources/Directory/Directory.docc/\(article).md"
        let parts = try lines(of: Self.root.appending(path: path)).split { $0.hasPrefix("```") }
        let quotations = parts.enumerated().filter { !$0.offset.isMultiple(of: 2) }
        #expect(quotations.count > 3)
        for (_, quotation) in quotations {
            let text = quotation.joined(separator: "\n")
            #expect(sources.contains { $0.contains(text) }, "\(text)")
        }
    }
}
