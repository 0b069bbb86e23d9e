import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// A store whose files are made to lead the library out of it, beside files that must not change.
struct HostileStore {
    let sandbox: Sandbox
    private let outside: [String: Sandbox.Entry]

    init() throws {
        sandbox = try Sandbox()
        try sandbox.write(#"[{"id":1,"title":"secret"}]"#, to: "outside/notes.json")
        try sandbox.write("[]", to: "outside/photos.json")
        try sandbox.write("secret", to: "outside/photos/secret.txt")
        try sandbox.write("secret", to: "outside/secret.txt")
        let boxes = try sandbox.boxes("store")
        try boxes.append(Box(id: 2, folderName: "Good"))
        try boxes.child(.notes, of: 2).append(.eggs)
        outside = try sandbox.tree("outside")
    }

    /// Expects that nothing outside of the store was changed or made.
    func expectNothingOutside(at location: SourceLocation = #_sourceLocation) throws {
        #expect(try sandbox.tree("outside") == outside, sourceLocation: location)
        let entries = try FileManager.default.contentsOfDirectory(atPath: sandbox.url.path)
        #expect(Set(entries).isSubset(of: ["store", "outside"]), sourceLocation: location)
    }

    /// Writes an index in which box 1 has this folder name.
    func writeIndex(_ folderName: String) throws {
        let items = [Box(id: 1, folderName: folderName), Box(id: 2, folderName: "Good")]
        try sandbox.write(JSONEncoder().encode(items), to: "store/boxes.json")
    }

    func writeIntent(_ json: String, checksum: UInt32? = nil) throws -> CrashLeftovers {
        let leftovers = try CrashLeftovers(of: "boxes.json", in: "store", sandbox)
        let checksum = checksum ?? CRC32.checksum(of: Array("\(json)\n".utf8))
        try sandbox.write("\(json)\n\(checksum.hexadecimal)\n", to: "\(leftovers.staging)/intent")
        return leftovers
    }

    /// Performs all operations on a box; each may fail, but only with an error of the name, the link
    /// or the missing item, and about a file of the store.
    func useEverything(
        in boxes: Directory<Box>, _ id: Int, at location: SourceLocation = #_sourceLocation
    ) {
        let uses: [() throws -> Void] = [
            { try boxes.load() },
            { _ = try boxes.folder(of: id) },
            { try boxes.child(.notes, of: id).append(.salt) },
            { try boxes.child(.photos, of: id).insert(Data([1])) },
            { try boxes.child(.parts, of: id).append(Box(id: 1, folderName: "inner")) },
            { _ = try boxes.verify() },
            { try boxes.update(id: id) { $0.folderName = "Renamed" } },
            { try boxes.transfer([id], to: sandbox.boxes("store/other")) },
            { try boxes.remove(id: id) },
            { try boxes.repair() },
            { try boxes.checkpoint() },
        ]
        // Ids are taken the second time.
        let expected: [DirectoryError.Code] = [
            .invalidName, .nameTaken, .itemNotFound, .duplicateID, .ioFailure,
            .unfinishedChange,
        ]
        let store = sandbox.url("store").path
        for use in uses {
            do {
                try use()
            } catch let error as DirectoryError {
                #expect(
                    expected.contains(error.code) && error.url.path.hasPrefix(store),
                    "\(error)", sourceLocation: location)
            } catch {
                Issue.record(error, "not a DirectoryError", sourceLocation: location)
            }
        }
    }
}
