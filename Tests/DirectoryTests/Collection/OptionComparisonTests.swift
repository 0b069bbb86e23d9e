import DirectoryTestSupport
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// Which options two values of one index can have.
struct OptionComparisonTests {
    /// For each property of the options, values that differ from the default and from each other.
    private static let changes: [String: @Sendable (inout DirectoryOptions) -> Void] = [
        "durability": { $0.durability = .relaxed },
        "dates": { $0.dates = .iso8601 },
        "encoder": { $0.encoder = JSONEncoder() },
        "decoder": { $0.decoder = JSONDecoder() },
        "damagedItems": { $0.damagedItems = .refuse },
        "filePermissions": { $0.filePermissions = 0o644 },
        "folderPermissions": { $0.folderPermissions = 0o755 },
        "dataProtection": { $0.dataProtection = .complete },
        "isExcludedFromBackup": { $0.isExcludedFromBackup = true },
        "lockTimeout": { $0.lockTimeout = .seconds(1) },
        "undoLimit": { $0.undoLimit = 1 },
        "keepsRemoved": { $0.keepsRemoved = .days(1) },
        "machine": { $0.machine = "other" },
        "editPause": { $0.editPause = .seconds(9) },
        "journalThreshold": { $0.journalThreshold = 1 },
        "journalReserve": { $0.journalReserve = 1 },
        "journalGrowth": { $0.journalGrowth = 1 },
        "journalTime": { $0.journalTime = .zero },
    ]

    @Test func everyPropertyButTheDurabilityIsCompared() {
        let options = DirectoryOptions()
        let names = Mirror(reflecting: options).children.compactMap(\.label)
        #expect(Set(names) == Set(Self.changes.keys), "add the new property to `changes`")
        for (name, change) in Self.changes {
            var other = options
            change(&other)
            #expect(
                options.agree(with: other, inContainer: false) == (name == "durability"), "\(name)")
            #expect(
                other.agree(with: options, inContainer: false) == (name == "durability"), "\(name)")
            let isFree = ["durability", "isExcludedFromBackup"].contains(name)
            #expect(options.agree(with: other, inContainer: true) == isFree, "\(name)")
            #expect(other.agree(with: other, inContainer: false))
        }
    }

    private final class Box: Sendable {}
    private struct Plain: Sendable {}
    private class OtherEncoder: JSONEncoder, @unchecked Sendable {}
    private class OtherDecoder: JSONDecoder, @unchecked Sendable {}

    private func areEqual(
        _ left: @escaping (JSONEncoder) -> Void, _ right: @escaping (JSONEncoder) -> Void
    ) -> Bool {
        let encoders = [left, right].map { change in
            let encoder = JSONEncoder()
            change(encoder)
            return encoder
        }
        return CoderSettings(encoders[0]).areEqual(to: CoderSettings(encoders[1]))
    }

    private func areEqual(
        _ left: @escaping (JSONDecoder) -> Void, _ right: @escaping (JSONDecoder) -> Void
    ) -> Bool {
        let decoders = [left, right].map { change in
            let decoder = JSONDecoder()
            change(decoder)
            return decoder
        }
        return CoderSettings(decoders[0]).areEqual(to: CoderSettings(decoders[1]))
    }

    @Test func everyPropertyOfAnEncoderIsCompared() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        let changes: [(JSONEncoder) -> Void] = [
            { _ in },
            { $0.outputFormatting = .sortedKeys },
            { $0.dateEncodingStrategy = .iso8601 },
            { $0.dateEncodingStrategy = .secondsSince1970 },
            { $0.dateEncodingStrategy = .formatted(DateFormatter()) },
            { $0.dateEncodingStrategy = .custom { _, _ in } },
            { $0.dateEncodingStrategy = .custom { date, _ in print(date) } },
            { $0.dataEncodingStrategy = .deferredToData },
            { $0.dataEncodingStrategy = .custom { _, _ in } },
            { $0.keyEncodingStrategy = .convertToSnakeCase },
            { $0.keyEncodingStrategy = .custom { $0[0] } },
            { $0.keyEncodingStrategy = .custom { $0[$0.count - 1] } },
            {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            },
            {
                $0.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "nan")
            },
            { $0.userInfo[key] = 1 }, { $0.userInfo[key] = 2 }, { $0.userInfo[key] = "1" },
            { $0.userInfo[key] = Box() }, { $0.userInfo[key] = Plain() },
        ]
        for (index, left) in changes.enumerated() {
            for (other, right) in changes.enumerated() where other != index {
                #expect(!areEqual(left, right), "\(index) and \(other)")
            }
        }
    }

    @Test func codersOfAClassOfTheAppAreOnlyEqualToThemselves() {
        let (encoder, decoder) = (CoderSettings(JSONEncoder()), CoderSettings(JSONDecoder()))
        let (others, otherDecoder) = (CoderSettings(OtherEncoder()), CoderSettings(OtherDecoder()))
        #expect(!others.areEqual(to: encoder) && !encoder.areEqual(to: others))
        #expect(!otherDecoder.areEqual(to: decoder) && !decoder.areEqual(to: otherDecoder))
        let options = DirectoryOptions(encoder: OtherEncoder(), decoder: OtherDecoder())
        #expect(options.agree(with: options, inContainer: false))
    }

    @Test func everyPropertyOfADecoderIsCompared() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        let changes: [(JSONDecoder) -> Void] = [
            { _ in },
            { $0.dateDecodingStrategy = .iso8601 },
            { $0.dateDecodingStrategy = .formatted(DateFormatter()) },
            { $0.dateDecodingStrategy = .custom { _ in Date() } },
            { $0.dataDecodingStrategy = .deferredToData },
            { $0.dataDecodingStrategy = .custom { _ in Data() } },
            { $0.dataDecodingStrategy = .custom { _ in Data([1]) } },
            { $0.keyDecodingStrategy = .convertFromSnakeCase },
            { $0.keyDecodingStrategy = .custom { $0[0] } },
            { $0.keyDecodingStrategy = .custom { $0[$0.count - 1] } },
            {
                $0.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "+", negativeInfinity: "-", nan: "?")
            },
            { $0.allowsJSON5 = true },
            { $0.assumesTopLevelDictionary = true },
            { $0.userInfo[key] = 1 }, { $0.userInfo[key] = Box() }, { $0.userInfo[key] = Plain() },
        ]
        for (index, left) in changes.enumerated() {
            for (other, right) in changes.enumerated() where other != index {
                #expect(!areEqual(left, right), "\(index) and \(other)")
            }
        }
    }

    @Test func codersThatWereMadeAlikeAreEqual() throws {
        let key = try #require(CodingUserInfoKey(rawValue: "key"))
        let box = Box()
        let changes: [(JSONEncoder) -> Void] = [
            { $0.dateEncodingStrategy = .custom { date, _ in print(date) } },
            { $0.dataEncodingStrategy = .custom { _, _ in } },
            { $0.keyEncodingStrategy = .custom { $0[0] } },
            { $0.userInfo[key] = ["a": [1]] },
            { $0.userInfo[key] = box },
            { $0.userInfo[key] = Plain.self },
            { $0.userInfo[key] = Double?.none },
        ]
        for (index, change) in changes.enumerated() {
            #expect(areEqual(change, change), "\(index)")
        }
        // What cannot be compared differs, and so do functions that captured different things.
        let others: [(JSONEncoder) -> Void] = [
            { $0.userInfo[key] = Plain() }, { $0.userInfo[key] = Box() },
            { encoder in
                let prefix = UUID().uuidString
                encoder.dataEncodingStrategy = .custom { _, _ in print(prefix) }
            },
        ]
        for (index, change) in others.enumerated() {
            #expect(!areEqual(change, change), "\(index)")
        }
    }

    @Test func secondDecoderWithOtherUserInfoIsRefused() throws {
        let sandbox = try Sandbox()
        let key = try #require(CodingUserInfoKey(rawValue: "unit"))
        func open(_ unit: String) throws -> Directory<Note> {
            let decoder = JSONDecoder()
            decoder.userInfo[key] = unit
            return try Directory(
                at: sandbox.url, index: "notes.json", options: .init(decoder: decoder))
        }
        let notes = try open("m")
        try notes.append(.eggs)
        expectError(.optionsDiffer) { try open("km") }
        #expect(try Array(open("m").items) == [.eggs])
    }
}
