import DirectoryTestSupport
import Directory
import Foundation
import StoreModel
import TestSupport
import Testing

/// A repair of an index with items of another version of the app.
struct RepairOfItemsTests {
    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    /// Has a field that the first version did not have.
    struct Book: Codable, Identifiable, Sendable {
        var id: Int
        var title: String
        var pages: Int
    }

    private let old = [#"{"id":1,"title":"Emma"}"#, #"{"id":3,"title":"Ulysses"}"#]
    private let new = #"{"id":2,"title":"Dune","pages":412}"#

    private func books(_ lines: [String], _ options: DirectoryOptions = .init()) throws
        -> Directory<Book>
    {
        try sandbox.write("[\n\(lines.joined(separator: ",\n"))\n]\n", to: "books.json")
        return try Directory<Book>(at: sandbox.url, index: "books.json", options: options)
    }

    private func migrate(_ books: Directory<Book>) throws -> Int {
        try books.migrateDamagedItems { damaged in
            struct Old: Decodable { var id: Int, title: String }
            let old = try damaged.decode(Old.self)
            return Book(id: old.id, title: old.title, pages: 0)
        }
    }

    @Test func itemsOfAnOlderVersionStayInTheIndex() throws {
        let books = try books([old[0], new, old[1]])
        let text = try sandbox.text("books.json")
        let findings = try books.verify()
        #expect(findings.map(\.kind) == [.undecodableItem, .undecodableItem])
        #expect(findings.allSatisfy { $0.message.contains("migrateDamagedItems") })
        #expect(try books.repair() == [])
        #expect(try sandbox.text("books.json") == text)
        #expect(!sandbox.exists("books.recovered"))
        #expect(try books.verify() == findings)
        try books.append(Book(id: 4, title: "Momo", pages: 300))
        #expect(try migrate(books) == 2)
        #expect(books.items.map(\.id) == [1, 2, 3, 4])
        #expect(try books.verify() == [])
    }

    /// What can be no item of any version is still set aside, also if its bytes are those of an element that stays.
    @Test func otherElementsAreSetAside() throws {
        let bad = [
            old[0], "7", #"{"title":"No id"}"#, #"{"id":"x"}"#, #"{"id":2,"title":"Dune"}"#,
            "[1]", new,
        ]
        let books = try books([new, old[0]] + bad + [old[1]])
        #expect(try books.verify().count == bad.count + 2)
        let repairs = try books.repair()
        #expect(repairs.count == bad.count)
        #expect(try sandbox.text("books.json") == "[\n\(new),\n\(old[0]),\n\(old[1])\n]\n")
        let aside = try sandbox.contents("books.recovered").map {
            String(decoding: $0, as: UTF8.self)
        }
        #expect(aside == ["[\n\(bad.joined(separator: ",\n"))\n]\n"])
        #expect(try books.verify().count == 2 && books.repair() == [])
        #expect(try migrate(books) == 2)
        #expect(try books.verify() == [])
    }

    /// They may be the files of the items that stay.
    @Test func foldersWithoutAnItemStayAsWell() throws {
        try sandbox.write(
            #"[{"id":1,"folderName":"One"},{"id":2,"name":"Two"},{"folderName":"Three"}]"#,
            to: "boxes.json")
        for name in ["One", "Two", "Three"] {
            try sandbox.write(#"[{"id":1,"title":"Eggs"}]"#, to: "\(name)/notes.json")
        }
        let boxes = try sandbox.boxes()
        #expect(
            try boxes.verify().map(\.kind) == [
                .undecodableItem, .undecodableItem, .unknownFolder, .unknownFolder,
            ])
        #expect(try boxes.repair().map(\.finding.kind) == [.undecodableItem])
        #expect(sandbox.exists("Two/notes.json") && sandbox.exists("Three/notes.json"))
        try boxes.migrateDamagedItems { _ in Box(id: 2, folderName: "Two") }
        #expect(try boxes.notes(of: 2) == [.eggs])
        #expect(try boxes.repair().map(\.finding.kind) == [.unknownFolder])
        #expect(sandbox.exists("boxes.recovered/Three/notes.json"))
    }

    /// Nothing is set aside if the items that stay are only such.
    @Test func theLastItemStaysBesideThem() throws {
        let piece = #"{"id":1,"fileName":"a","title":""}"#
        try sandbox.write("[\n\(piece),\n{\"id\":2}\n]\n", to: "pieces.json")
        let pieces = try sandbox.pieces()
        #expect(try pieces.verify().map(\.kind) == [.undecodableItem, .missingAsset])
        let tree = try sandbox.tree().filter { !$0.key.hasSuffix(".lock") }
        let error = expectError(.undecodable) { try pieces.repair() }
        #expect(error?.message.contains("migrateDamagedItems") == true)
        #expect(try sandbox.tree().filter { !$0.key.hasSuffix(".lock") } == tree)
        #expect(try pieces.loaded().map(\.id) == [1])
    }

    @Test(arguments: [DirectoryOptions(), .init(damagedItems: .refuse)])
    func aRefusedIndexNamesTheCallThatHelps(_ options: DirectoryOptions) throws {
        let books = try books(old + (options.damagedItems == .refuse ? [new] : []), options)
        let text = try sandbox.text("books.json")
        for call in [
            { try books.load() }, { _ = try books.verify() }, { try books.repair() },
            { try books.append(Book(id: 9, title: "", pages: 1)) },
        ] as [() throws -> Void] {
            let error = expectError(.undecodable) { try call() }
            #expect(error?.message.contains("migrateDamagedItems") == true)
            #expect(error?.message.contains("repair it") == false)
        }
        #expect(try sandbox.text("books.json") == text && !sandbox.exists("books.recovered"))
        #expect(try migrate(books) == 2)
        try books.append(Book(id: 9, title: "", pages: 1))
        #expect(try books.verify() == [])
    }

    @Test func aRestoringThatWouldLoseThemNamesTheCallThatHelps() throws {
        let other = try Directory<Book>(at: sandbox.url("other"), index: "books.json")
        try other.append(Book(id: 9, title: "", pages: 1))
        try other.copy(to: sandbox.url("copy"))
        let books = try books([old[0], new])
        let error = expectError(.undecodable) { try books.restore(from: sandbox.url("copy")) }
        #expect(error?.message.contains("migrateDamagedItems") == true)
        #expect(books.items.map(\.id) == [2])
    }
}
