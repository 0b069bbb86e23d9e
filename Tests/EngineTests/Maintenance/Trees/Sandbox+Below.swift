import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

extension Sandbox {
    /// Makes boxes in boxes with notes and photographs at three levels.
    func threeLevels() throws {
        let deepest = Tree.Node(Box(id: 3, folderName: "Three"), notes: [.salt], photos: ["c"])
        let inner = Tree.Node(
            Box(id: 2, folderName: "Two"), notes: [.milk], photos: ["b"], parts: [deepest])
        let outer = Tree.Node(
            Box(id: 1, folderName: "One"), notes: [.eggs], photos: ["a"], parts: [inner])
        try Session(at: url).fill(with: Tree(notes: [.eggs, .milk], projects: [outer]))
    }

    /// Makes the last process that locked the index one that has ended.
    func endLastProcess(lock path: String) throws {
        let generation = try exists(path) ? text(path).prefix(20) : "00000000000000000002"
        try write("\(generation)\nprocess 2147483647 (ended)\n", to: path)
    }

    /// What of all below the folder a writer could change: names, bytes, modes and dates.
    func state() throws -> [String: FileStatus] {
        try paths().reduce(into: [:]) { $0[$1] = status($1) }
    }

    /// The findings below the folder, as kinds and paths in it; nothing may change.
    func findingsBelow(
        _ path: String = "", at location: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        let before = try (state(), status("."))
        let findings = try Directory.verify(below: url(path))
        let after = try (state(), status("."))
        #expect(before.0 == after.0 && before.1 == after.1, sourceLocation: location)
        #expect(findings.map(\.path) == findings.map(\.path).sorted(), sourceLocation: location)
        let root = url.path(percentEncoded: false)
        return findings.map { finding in
            let isBelow = finding.path.hasPrefix(root)
            #expect(isBelow, "\(finding)", sourceLocation: location)
            return "\(finding.kind.rawValue) \(finding.path.dropFirst(root.count))"
        }
    }
}
