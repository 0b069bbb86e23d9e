import FileSystem
import Foundation
import Testing

@testable import Directory

@Suite struct FileRoleTests {
    private static let digits = String(repeating: "0a", count: 16)

    @Test(
        arguments: [
            ("projects.json", .index, "projects"), ("a.b.json", .index, "a.b"),
            ("projects 2.json", .index, "projects 2"), (".projects.lock", .lock, "projects"),
            (".a.b.journal", .journal, "a.b"), (".projects.new", .mark, "projects"),
            (".projects.copy", .manifest, "projects"),
            (".projects.\(digits).tmp", .temporary, "projects"),
            (".a.\(digits).\(digits).tmp", .temporary, "a.\(digits)"),
        ] as [(String, FileRole, String)])
    func nameTellsTheRoleAndTheStem(_ text: String, _ role: FileRole, _ stemText: String) throws {
        let (name, stem) = try (FileName(validating: text), FileName(validating: stemText))
        for other in FileRole.allCases {
            #expect(other.stem(of: name) == (other == role ? stem : nil))
            #expect(other.matches(name) == (other == role))
        }
        if role != .temporary { #expect(try role.name(stem) == name) }
        let new = try role.name(stem)
        #expect(role.stem(of: new) == stem)
    }

    @Test(
        arguments: [
            "projects", "json", ".json", "projects.JSON", "projects.json~", "projects.lock",
            ".lock",
            "..lock", "...lock", "...journal", ".tmp", ".projects.tmp", ".projects.0.tmp",
            ".projects\(digits).tmp", ".\(digits).tmp", ".projects.\(digits).TMP", ".DS_Store",
        ])
    func otherNamesHaveNone(_ text: String) throws {
        let name = try FileName(validating: text)
        for role in FileRole.allCases { #expect(!role.matches(name), "\(name) as \(role)") }
    }

    @Test func bytesThatAreNotUTF8StayInTheStem() throws {
        let bytes: [UInt8] = [0x66, 0xFF]
        let stem = try #require(FileName(bytes: bytes))
        let lock = try #require(FileName(bytes: [0x2E] + bytes + Array(".lock".utf8)))
        #expect(FileRole.lock.stem(of: lock) == stem)
        #expect(IndexNames(stem: stem, in: URL(filePath: "/store")) == nil)
    }
}
