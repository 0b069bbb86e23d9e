import Foundation
import TestSupport
import Testing

/// A temporary store, and the demo's commands on it.
struct DemoStore {
    private let temporary: TemporaryFolder
    /// A folder of the test's own, in which the store lies.
    let parent: URL
    /// The store itself, which does not exist at first.
    let folder: URL

    init() throws {
        temporary = try TemporaryFolder()
        parent = temporary.url
        folder = parent.appending(path: "Store", directoryHint: .isDirectory)
    }

    /// Runs a command, whatever comes of it.
    func run(_ arguments: String...) throws -> DemoProcess.Outcome {
        try start(arguments).outcome()
    }

    func start(
        _ arguments: [String], after commands: String = "", output: FileHandle? = nil
    ) throws -> DemoProcess {
        try DemoProcess(["--store", folder.path] + arguments, after: commands, output: output)
    }

    /// Runs a command that must succeed, and returns what it printed.
    @discardableResult
    func succeed(_ arguments: String...) throws -> String {
        try succeed(arguments)
    }

    @discardableResult
    func succeed(_ arguments: [String]) throws -> String {
        let outcome = try start(arguments).outcome()
        #expect(outcome.error == "")
        try #require(outcome.status == 0)
        return outcome.output
    }

    /// Runs a command that must fail and change nothing, and returns its one line of error.
    func fail(_ arguments: String...) throws -> String {
        let before = try files()
        let outcome = try start(arguments).outcome()
        #expect(outcome.status == 1)
        #expect(outcome.error.hasPrefix("directory-demo: "))
        #expect(outcome.error.split(separator: "\n", omittingEmptySubsequences: false).count == 2)
        #expect(try files() == before)
        return outcome.error
    }
}

extension DemoStore {
    struct Project: Decodable, Equatable {
        let name: String
        let folder: String
        let photos: Int
        let notes: Int
    }

    struct Photo: Decodable {
        let id: UUID
        let name: String
        let path: String
        let byteCount: Int
    }

    struct Finding: Decodable {
        let kind: String
        let path: String
    }

    /// What `verify --repair --json` prints.
    struct Repairs: Decodable {
        struct Repair: Decodable {
            let finding: Finding
            let action: String
        }
        let repairs: [Repair]
        let findings: [Finding]
    }

    func projects() throws -> [Project] {
        try JSONDecoder().decode([Project].self, from: Data(succeed("list", "--json").utf8))
    }

    func photos(of project: String) throws -> [Photo] {
        let json = try succeed("photos", project, "--json")
        return try JSONDecoder().decode([Photo].self, from: Data(json.utf8))
    }

    /// The bytes of a photo's file.
    func data(of photo: Photo) throws -> Data {
        try Data(contentsOf: folder.appending(path: photo.path))
    }

    /// The visible files of the store, by path, with their bytes.
    func files() throws -> [String: Data] {
        guard FileManager.default.fileExists(atPath: folder.path) else { return [:] }
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return try names.reduce(into: [:]) { files, name in
            let url = folder.appending(path: name)
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            let values = try url.resourceValues(forKeys: [.isRegularFileKey])
            if !isHidden, values.isRegularFile == true { files[name] = try Data(contentsOf: url) }
        }
    }

    /// Checks that each photo of `project` has the bytes of the fixture of its name.
    func expectSources(_ project: String) throws {
        for photo in try photos(of: project) {
            let source = try Fixtures.data(named: photo.name)
            #expect(try data(of: photo) == source)
            #expect(photo.byteCount == source.count)
        }
    }

    /// Checks that nothing is wrong and that nothing is left over.
    func expectSound() throws {
        #expect(try succeed("verify", "--json").filter { !$0.isWhitespace } == "[]")
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        #expect(names.filter { $0.hasSuffix(".tmp") || $0.contains(".trash") } == [])
    }
}

/// The photos of the package.
enum Fixtures {
    /// The folder, found from where this file was when it was compiled.
    static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../Fixtures/photos", directoryHint: .isDirectory).standardizedFileURL

    /// The eight photos, by name.
    static func photos() throws -> [URL] {
        let photos = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil
        ).filter { ["jpg", "png"].contains($0.pathExtension) }
        try #require(photos.count == 8)
        return photos.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    static func data(named name: String) throws -> Data {
        try Data(contentsOf: folder.appending(path: name))
    }
}
