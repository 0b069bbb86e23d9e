import Directory
import Foundation

// Three versions of an app keep books in one store, and each of them changes what the others wrote.

enum Version1 {
    struct Book: Codable, Identifiable, Sendable {
        var id: Int
        var title: String
    }
}

enum Version2 {
    struct Book: Codable, Identifiable, Sendable {
        var id: Int
        var title: String
        /// New: optional, because the books of version 1 have none.
        var rating: Int?
        var shelf: Shelf?
    }

    struct Shelf: Codable, Sendable {
        var room: String
        var row: Int
    }
}

enum Version3 {
    struct Book: Codable, Identifiable, Sendable {
        var id: Int
        /// Renamed: the property has another name, its key on disk has not.
        var name: String
        /// New, and not optional: books of older versions are printed ones.
        var format: Format
        /// Without the row, which version 3 does not know any more; it has no ratings either.
        var shelf: Shelf?

        private enum CodingKeys: String, CodingKey {
            case id, format, shelf
            case name = "title"
        }

        init(from decoder: any Decoder) throws {
            let values = try decoder.container(keyedBy: CodingKeys.self)
            id = try values.decode(Int.self, forKey: .id)
            name = try values.decode(String.self, forKey: .name)
            format = try values.decodeIfPresent(Format.self, forKey: .format) ?? .print
            shelf = try values.decodeIfPresent(Shelf.self, forKey: .shelf)
        }
    }

    struct Shelf: Codable, Sendable {
        var room: String
    }

    /// A struct and not an enum, so that a value of a later version can be read and written back.
    struct Format: RawRepresentable, Codable, Hashable, Sendable {
        var rawValue: String

        static let print = Format(rawValue: "print")
        static let audio = Format(rawValue: "audio")
    }
}

@main struct Evolution {
    /// The folder of the store is the only argument.
    static func main() throws {
        let folder = URL(filePath: CommandLine.arguments[1])

        /// What one version does, and what the store contains then.
        func run<Book>(
            _ title: String, _ change: (Directory<Book>) throws -> Void
        ) throws {
            let books = try Directory<Book>(at: folder, index: "books.json")
            try books.load()
            try change(books)
            try books.checkpoint()
            print("\(title):")
            print(try String(contentsOf: books.url, encoding: .utf8))
        }

        try run("Version 1 adds two books") { (books: Directory<Version1.Book>) in
            try books.append(Version1.Book(id: 1, title: "Emma"))
            try books.append(Version1.Book(id: 2, title: "Ulisses"))
        }
        try run("Version 2 rates a book, and puts it on a shelf") {
            (books: Directory<Version2.Book>) in
            try books.update(id: 2) { book in
                book.rating = 5
                book.shelf = Version2.Shelf(room: "Hall", row: 3)
            }
        }
        try run("Version 1 corrects its title: rating and shelf stay") {
            (books: Directory<Version1.Book>) in
            try books.update(id: 2) { $0.title = "Ulysses" }
        }
        try run("Version 3 moves it, as an audio book: rating and row stay") {
            (books: Directory<Version3.Book>) in
            try books.update(id: 2) { book in
                book.format = .audio
                book.shelf?.room = "Study"
            }
        }
        try run("Version 2 takes the rating back: format and row stay") {
            (books: Directory<Version2.Book>) in
            try books.update(id: 2) { $0.rating = nil }
        }
    }
}
