import FileSystem
import Foundation
import Testing

@testable import DirectoryReplicas

/// What people are told about each error of the five libraries, to be read aloud.
struct AllErrorTextsTests {
    /// Two codes with the same texts would mean that one of them has only those of an unknown error.
    @Test(arguments: ErrorRow.files.keys.sorted())
    func eachCodeHasARowAndTextsOfItsOwn(in library: String) throws {
        let rows = ErrorRow.all.filter { $0.library == library }
        #expect(rows.map(\.code) == ErrorRow.declared(library) && rows.count > 3)
        print("\n\(library)\n")
        var texts: Set<String> = []
        for row in rows {
            let error = try #require(row.error as? any LocalizedError)
            let text = try #require(error.errorDescription)
            print("\(row.code)\n    \(text)\n    \(error.recoverySuggestion ?? "no advice")")
            #expect(texts.insert(text).inserted, "\(row.code): \(text)")
        }
    }

    @Test(arguments: ErrorRow.all) func textsAreForPeople(_ row: ErrorRow) throws {
        let error = try #require(row.error as? any LocalizedError)
        let text = try #require(error.errorDescription)
        let reason = try #require(error.failureReason)
        let advice = try #require(error.recoverySuggestion)
        #expect(text.hasPrefix("Cannot ") && text.hasSuffix(reason.dropFirst()))
        for sentence in [text, reason, advice] {
            #expect(fault(in: sentence) == nil, "\(sentence)")
            #expect(sentence.first?.isUppercase == true && sentence.hasSuffix("."), "\(sentence)")
            #expect(!sentence.hasSuffix("..") && !sentence.contains("  "), "\(sentence)")
        }
        #expect(error.localizedDescription == text)
    }

    @Test func failedCallsOfASyncHaveTheTextsOfACollection() {
        let error = ReplicaError(
            .ioFailure, URL(filePath: "/drive/Shared"), "cannot write",
            underlying: FileSystemError("write", "/drive/Shared/log", .noSpace))
        #expect(error.localizedDescription == "Cannot sync “Shared”: there is no space left.")
        #expect(error.recoverySuggestion == "Free some space and try again.")
    }

    @Test func developersReadTheReasonOfEach() {
        for row in ErrorRow.all where row.library != "Preferences" {
            let text = "\(row.error)"
            #expect(text.contains("/") && text != row.error.localizedDescription, "\(text)")
        }
    }

    /// What only developers know in `text`; nil if there is nothing.
    private func fault(in text: String) -> String? {
        let parts = [
            "/", "(", "_", ".json", "errno", "UUID", "URL", "JSON", "index", "journal", "process",
            "symbolic", "DirectoryError", "Replica", "FileStore", "AppFolder", "Preference",
            "nil", "NUL",
        ]
        if let part = parts.first(where: text.contains) { return part }
        return text.firstMatch(of: #/[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-|[a-z][A-Z]/#).map {
            String($0.output)
        }
    }
}
