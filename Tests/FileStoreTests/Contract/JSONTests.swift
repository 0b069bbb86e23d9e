import FileStore
import Foundation
import Testing

struct JSONTests {
    struct Errand: Codable, Equatable {
        var title: String
        var due = Date(timeIntervalSinceReferenceDate: 0)
    }

    @Test(arguments: StoreKind.allCases)
    func savedValuesAreLoaded(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let task = Errand(title: "Milk")
        try await test.store.saveJSON(task, to: "tasks/42.json")
        let loaded: Errand = try await test.store.loadJSON("tasks/42.json")
        #expect(loaded == task)
        let found: Errand? = try await test.store.loadJSONIfExists("tasks/42.json")
        #expect(found == task)
    }

    @Test(arguments: StoreKind.allCases)
    func givenCodersAreUsed(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        decoder.dateDecodingStrategy = .iso8601
        try await test.store.saveJSON(Errand(title: "Milk"), to: "a", encoder: encoder)
        #expect(try await test.store.text("a").contains("2001-01-01T00:00:00Z"))
        let loaded: Errand = try await test.store.loadJSON("a", decoder: decoder)
        #expect(loaded == Errand(title: "Milk"))
    }

    @Test(arguments: StoreKind.allCases)
    func onlyAMissingFileIsNil(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        #expect(try await test.store.loadJSONIfExists("a/b") as Errand? == nil)
        await #expect(throws: FileStoreError.fileNotFound(path: "a/b")) {
            try await test.store.loadJSON("a/b") as Errand
        }
        for damaged in ["", "{", "{\"title\":1}"] {
            try await test.store.save(damaged, to: "damaged")
            await #expect {
                try await test.store.loadJSONIfExists("damaged") as Errand?
            } throws: {
                if case .decodingFailed("damaged", _)? = $0 as? FileStoreError {
                    true
                } else {
                    false
                }
            }
            #expect(try await test.store.text("damaged") == damaged)
        }
        await #expect(throws: FileStoreError.notADirectory(path: "damaged/x")) {
            try await test.store.loadJSONIfExists("damaged/x") as Errand?
        }
    }

    @Test(arguments: StoreKind.allCases)
    func valueThatCannotBeEncodedChangesNothing(_ kind: StoreKind) async throws {
        let test = try TestStore(kind)
        try await test.store.save("old", to: "a")
        await #expect {
            try await test.store.saveJSON([Double.nan], to: "a")
        } throws: {
            if case .encodingFailed("a", _)? = $0 as? FileStoreError { true } else { false }
        }
        #expect(try await test.store.text("a") == "old")
    }
}
