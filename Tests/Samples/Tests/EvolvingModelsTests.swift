import Directory
import Foundation
import TestSupport
import Testing

/// What the article about evolving models says.
struct EvolvingModelsTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func books<Book>(_ text: String? = nil, _ options: DirectoryOptions = .init()) throws
        -> Directory<Book>
    {
        if let text {
            try Data(text.utf8).write(to: folder.url.appending(path: "books.json"))
        }
        return try Directory(at: folder.url, index: "books.json", options: options)
    }

    private var text: String {
        get throws {
            try String(contentsOf: folder.url.appending(path: "books.json"), encoding: .utf8)
                .replacing("\n", with: "")
        }
    }

    struct Book: Codable, Identifiable, Sendable {
        var id: Int
        var title: String
    }

    struct Author: Codable, Sendable {
        var name: String
    }

    struct Chapter: Codable, Identifiable, Sendable {
        var id: Int
        var title: String
    }

    struct Quote: Codable, Sendable {
        var text: String
        var page: Int?
    }

    struct LongBook: Codable, Identifiable, Sendable {
        var id: Int
        var author: Author?
        var chapters: [Chapter] = []
        var quotes: [Quote] = []
    }

    @Test func fieldThatIsNeitherOptionalNorHasADefaultMakesOldItemsDamaged() throws {
        struct Rated: Codable, Identifiable, Sendable {
            var id: Int
            var title: String
            var rating: Int
        }
        let books: Directory<Rated> = try books(
            #"[{"id":1,"title":"Emma"},{"id":2,"title":"Ulysses","rating":5}]"#)
        try books.load()
        #expect(books.items.map(\.id) == [2])
        let damaged = try #require(books.damagedItems.first)
        guard case .keyNotFound(let key, _)? = damaged.error as? DecodingError else {
            throw try #require(damaged.error)
        }
        #expect(key.stringValue == "rating")
        try books.migrateDamagedItems { damaged in
            let book = try damaged.decode(Book.self)
            return Rated(id: book.id, title: book.title, rating: 3)
        }
        #expect(books.items.map(\.rating) == [3, 5])
    }

    @Test func keyThatIsRenamedIsWrittenAndReadUnderBothNames() throws {
        struct Renamed: Codable, Identifiable, Sendable {
            var id: Int
            var name: String

            private enum CodingKeys: String, CodingKey {
                case id, name
                case title
            }

            init(from decoder: any Decoder) throws {
                let values = try decoder.container(keyedBy: CodingKeys.self)
                id = try values.decode(Int.self, forKey: .id)
                name =
                    try values.decodeIfPresent(String.self, forKey: .title)
                    ?? values.decode(String.self, forKey: .name)
            }

            func encode(to encoder: any Encoder) throws {
                var values = encoder.container(keyedBy: CodingKeys.self)
                try values.encode(id, forKey: .id)
                try values.encode(name, forKey: .name)
                try values.encode(name, forKey: .title)
            }
        }
        let new: Directory<Renamed> = try books(#"[{"id":1,"title":"Ema"}]"#)
        try new.update(id: 1) { $0.name = "Emma" }
        #expect(try text == #"[{"id":1,"name":"Emma","title":"Emma"}]"#)
        let old: Directory<Book> = try books()
        try old.update(id: 1) { $0.title = "Emma!" }
        try new.load()
        #expect(new[id: 1]?.name == "Emma!")
        try new.update(id: 1) { $0.name = "Emma" }
        #expect(try text == #"[{"id":1,"name":"Emma","title":"Emma"}]"#)
    }

    @Test func removedFieldStaysOnDiskUntilTheItemIsRemovedAndAddedAgain() throws {
        let books: Directory<Book> = try books(#"[{"id":1,"title":"Ema","rating":5}]"#)
        try books.update(id: 1) { $0.title = "Emma" }
        #expect(try text == #"[{"id":1,"title":"Emma","rating":5}]"#)
        try books.write { draft in
            for (position, book) in draft.items.enumerated() {
                try draft.remove(id: book.id)
                try draft.insert(book, at: position)
            }
        }
        #expect(try text == #"[{"id":1,"title":"Emma"}]"#)
    }

    @Test func containerThatIsRemovedAndAddedAgainKeepsItsFolder() throws {
        struct Shelf: Container {
            var id: Int
        }
        let shelves = try Directory<Shelf>(at: folder.url, index: "shelves.json")
        try shelves.append(Shelf(id: 1))
        let books = try shelves.child(Child<Book>("books"), of: 1)
        try books.append(Book(id: 1, title: "Emma"))
        try shelves.write { draft in
            try draft.remove(id: 1)
            try draft.append(Shelf(id: 1))
        }
        try shelves.checkpoint()
        try books.load()
        #expect(books.count == 1)
        #expect(try shelves.child(Child<Book>("books"), of: 1).count == 1)
    }

    struct BookWithUUID: Codable, Identifiable, Sendable {
        var id: UUID
        var title: String
    }

    @Test func idsOfAnotherTypeAreMigrated() throws {
        let old: Directory<Book> = try books(
            #"[{"id":1,"title":"Emma","rating":5},{"id":2,"title":"Ulysses"}]"#)
        try old.load()

        let books: Directory<BookWithUUID> = try books()
        #expect { try books.load() } throws: { error in
            let error = error as? DirectoryError
            return error?.code == .undecodable && error?.underlying is DecodingError
        }
        #expect(books.damagedItems.count == 2)
        try books.migrateDamagedItems { damaged in
            let book = try damaged.decode(Book.self)
            return BookWithUUID(id: UUID(), title: book.title)
        }

        #expect(books.items.map(\.title) == ["Emma", "Ulysses"])
        #expect(try text.contains(#""title":"Emma","rating":5}"#))
        // The old version refuses the store, and leaves it as it is.
        let before = try text
        #expect(throws: DirectoryError.self) { try old.load() }
        #expect(throws: DirectoryError.self) { try old.append(Book(id: 3, title: "Ilias")) }
        #expect(old.items.map(\.title) == ["Emma", "Ulysses"])
        #expect(try text == before)
    }

    @Test func elementsOfBothVersionsStayBesideEachOther() throws {
        let id = UUID()
        let old: Directory<Book> = try books(
            #"[{"id":1,"title":"Emma"},{"id":"\#(id)","title":"Ulysses"}]"#)
        try old.update(id: 1) { $0.title = "Emma!" }
        try old.append(Book(id: 3, title: "Ilias"))
        #expect(old.damagedItems.count == 1)
        let new: Directory<BookWithUUID> = try books()
        try new.update(id: id) { $0.title = "Odyssey" }
        #expect(new.damagedItems.map(\.position) == [0, 2])
        #expect(
            try text == #"[{"id":1,"title":"Emma!"},{"id":"\#(id)","title":"Odyssey"},"#
                + #"{"id":3,"title":"Ilias"}]"#)
    }

    @Test func enumWithoutTheValueMakesTheItemDamaged() throws {
        enum Format: String, Codable, Sendable { case print }
        struct Formatted: Codable, Identifiable, Sendable {
            var id: Int
            var format: Format
        }
        let books: Directory<Formatted> = try books(
            #"[{"id":1,"format":"print"},{"id":2,"format":"audio"}]"#)
        try books.append(Formatted(id: 3, format: .print))
        #expect(books.damagedItems.map(\.position) == [1])
        #expect(
            try text == #"[{"id":1,"format":"print"},{"id":2,"format":"audio"},"#
                + #"{"id":3,"format":"print"}]"#)
    }

    @Test func objectThatIsRemovedTakesItsFieldsAlong() throws {
        let books: Directory<LongBook> = try books(
            #"[{"id":1,"author":{"name":"Austen","born":1775},"chapters":[],"quotes":[]}]"#)
        try books.update(id: 1) { $0.author = nil }
        try books.update(id: 1) { $0.author = Author(name: "Joyce") }
        #expect(try text.contains(#""author":{"name":"Joyce"}"#))
    }

    @Test func elementsWithIDsKeepTheirFieldsWhereverTheyAre() throws {
        let books: Directory<LongBook> = try books(
            #"[{"id":1,"chapters":[{"id":1,"title":"A","pages":9},{"id":2,"title":"B","pages":7}],"#
                + #""quotes":[]}]"#)
        try books.update(id: 1) { book in
            book.chapters.reverse()
            book.chapters[0].title = "C"
            book.chapters.insert(Chapter(id: 3, title: "D"), at: 1)
        }
        #expect(
            try text == #"[{"id":1,"chapters":[{"id":2,"title":"C","pages":7},"#
                + #"{"id":3,"title":"D"},{"id":1,"title":"A","pages":9}],"quotes":[]}]"#)
    }

    @Test func elementsWithoutIDsKeepTheirFieldsIfTheyDidNotChangeOrNoneMoved() throws {
        let quotes = #"{"text":"A","x":1},{"text":"B","x":2}"#
        let books: Directory<LongBook> = try books(
            #"[{"id":1,"chapters":[],"quotes":[\#(quotes)]}]"#)
        try books.update(id: 1) { $0.quotes[1].text = "C" }
        #expect(try text.contains(#"[{"text":"A","x":1},{"text":"C","x":2}]"#))
        try books.update(id: 1) { $0.quotes.reverse() }
        #expect(try text.contains(#"[{"text":"C","x":2},{"text":"A","x":1}]"#))
        try books.update(id: 1) { book in for index in 0...1 { book.quotes[index].page = index } }
        #expect(try text.contains(#"[{"text":"C","x":2,"page":0},{"text":"A","x":1,"page":1}]"#))
        try books.update(id: 1) { $0.quotes = [Quote(text: "D"), $0.quotes[1]] }
        #expect(try text.contains(#"[{"text":"D","x":2},{"text":"A","x":1,"page":1}]"#))
        try books.update(id: 1) { book in
            book.quotes.reverse()
            book.quotes[0].text = "E"
        }
        #expect(try text.contains(#"[{"text":"E","page":1},{"text":"D","x":2}]"#))
    }

    @Test func datesCanBecomeTextAtAnyTime() throws {
        struct Loan: Codable, Identifiable, Sendable {
            var id: Int
            var since: Date
        }
        let folder = folder.url
        let first = try Directory<Loan>(at: folder, index: "loans.json")
        try first.append(Loan(id: 1, since: Date(timeIntervalSinceReferenceDate: 0)))
        let path = folder.appending(path: "copy", directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: first.url, to: path.appending(path: "loans.json"))
        let loans = try Directory<Loan>(
            at: path, index: "loans.json", options: .init(dates: .iso8601))
        try loans.append(Loan(id: 2, since: Date(timeIntervalSinceReferenceDate: 0.5)))
        #expect(loans[id: 1]?.since.timeIntervalSinceReferenceDate == 0)
        #expect(
            try String(contentsOf: loans.url, encoding: .utf8)
                .contains(#"{"id":2,"since":"2001-01-01T00:00:00.500Z"}"#))
    }
}
