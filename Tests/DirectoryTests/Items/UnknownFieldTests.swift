import DirectoryTestSupport
import Foundation
import TestSupport
import Testing

@testable import Directory

/// An older version of an app changes items of a newer one: fields that it does not know stay.
struct UnknownFieldTests {
    struct Song: Codable, Identifiable, Equatable, Sendable {
        var id: Int
        var title: String
        var note: String?
    }

    /// Has a key in another spelling on disk.
    struct SnakeSong: Codable, Identifiable, Sendable {
        var id: Int
        var songTitle: String
    }

    let sandbox: Sandbox

    init() throws { sandbox = try Sandbox() }

    static let rating = #""rating" : {"a":1.0,"b":[1E2,"\u0041\/"]}"#
    static let line = #"{"id":1, \#(rating) ,"title":"Blue","x":null}"#
    static let changed = #"{"id":1,\#(rating),"title":"Red","x":null}"#

    private func songs(_ options: DirectoryOptions = .init()) throws -> Directory<Song> {
        try sandbox.write("[\n\(Self.line)\n]\n", to: "songs.json")
        return try Directory<Song>(at: sandbox.url, index: "songs.json", options: options)
    }

    private func line() throws -> String {
        String(try #require(sandbox.text("songs.json").split(separator: "\n").dropFirst().first))
    }

    @Test func updateKeepsUnknownFields() throws {
        let songs = try songs()
        try songs.update(id: 1) { $0.title = "Red" }
        #expect(try line() == Self.changed)
        try songs.update(Song(id: 1, title: "Green", note: "n"))
        try songs.update(id: 1) { $0.note = nil }
        try songs.write { try $0.update(Song(id: 1, title: "Red")) }
        #expect(try line() == Self.changed)
    }

    @Test func itemThatIsRemovedAndAddedAgainHasNoUnknownFields() throws {
        let songs = try songs()
        try songs.write { draft in
            try draft.remove(id: 1)
            try draft.append(Song(id: 1, title: "Red"))
        }
        #expect(try line() == #"{"id":1,"title":"Red"}"#)
    }

    @Test func editOfABindingKeepsUnknownFields() throws {
        let songs = try songs()
        try songs.load()
        let editor = try #require(ItemEditor(1, of: songs) { Issue.record($0) })
        editor.value.title = "Red"
        songs.core.commitEdits()
        #expect(try line() == Self.changed)
    }

    @Test func ownCodersKeepUnknownFields() throws {
        let (encoder, decoder) = (JSONEncoder(), JSONDecoder())
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        try sandbox.write(#"[{"id":1,"song_title":"Blue","new_field":1.0}]"#, to: "songs.json")
        let songs = try Directory<SnakeSong>(
            at: sandbox.url, index: "songs.json", options: .init(encoder: encoder, decoder: decoder)
        )
        try songs.update(id: 1) { $0.songTitle = "Red" }
        #expect(try line() == #"{"id":1,"song_title":"Red","new_field":1.0}"#)
    }

    @Test func recordOfAPhotographKeepsUnknownFields() throws {
        let photos = try sandbox.photos()
        let photo = try photos.insert(Data("jpeg".utf8), name: "a.jpg")
        let text = try sandbox.text("photos.json")
        try sandbox.write(
            text.replacing(#""byteCount":4"#, with: #""stars":5,"byteCount":4"#), to: "photos.json")
        var renamed = photo
        renamed.name = "b.jpg"
        try photos.update(renamed)
        #expect(
            try sandbox.text("photos.json")
                == text.replacing(#""byteCount":4"#, with: #""stars":5,"byteCount":4"#)
                .replacing("a.jpg", with: "b.jpg"))
    }

    @Test func itemThatIsTooDeepWithItsUnknownFieldsCannotArise() throws {
        let deep = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        try sandbox.write(#"[{"id":1,"title":"a","deep":\#(deep)}]"#, to: "songs.json")
        let songs = try Directory<Song>(at: sandbox.url, index: "songs.json")
        try songs.update(id: 1) { $0.title = "Red" }
        #expect(try line() == #"{"id":1,"title":"Red","deep":\#(deep)}"#)
        let other = try Directory<SnakeSong>(at: sandbox.url, index: "songs.json")
        expectError(.undecodable) { try other.load() }
    }
}
