import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

/// A store becomes what one of two copies has, again and again, while 8 processes write to collections inside it.
@Suite(.timeLimit(.minutes(30))) final class RestoreWhileChangingTests: Sendable {
    private static let restorings = TestSize.choose(sample: 2, gate: 16, full: 200)

    private struct State {
        var isOver = false
        var written: Set<String> = []
        var refusals: [String: Int] = [:]
    }

    private let sandbox: Sandbox
    private let state = Mutex(State())

    init() throws { sandbox = try Sandbox() }

    private func boxes() throws -> Directory<Box> {
        try Directory(
            at: sandbox.url("store"), index: "boxes.json",
            options: DirectoryOptions(keepsRemoved: .days(30)),
            on: ProcessFileSystem(LocalFileSystem()))
    }

    /// The copies of the store, by what they are made of: a folder and an archive.
    private func makeCopies() throws -> (folder: URL, archive: URL) {
        let (folder, archive) = (sandbox.url("copy"), sandbox.url("copy.zip"))
        let boxes = try boxes()
        for id in 1...3 {
            try boxes.append(Box(id: id, folderName: "Box \(id)"))
            try boxes.child(.notes, of: id).append(Note(id: -1, title: "first"))
        }
        try boxes.copy(to: folder)
        try boxes.remove(id: 3)
        try boxes.append(Box(id: 4, folderName: "Box 4"))
        try boxes.child(.notes, of: 4).append(Note(id: -1, title: "second"))
        try boxes.archive(to: archive)
        return (folder, archive)
    }

    /// Appends notes to boxes that are in both copies until all is over.
    private func write(as writer: Int) {
        var number = 0
        while !state.withLock(\.isOver) {
            number += 1
            let text = "writer \(writer) note \(number)."
            do {
                let boxes = try boxes()
                try boxes.load()
                let notes = try boxes.child(.notes, of: 1 + number % 2)
                try notes.append(Note(id: writer * 1_000_000 + number, title: text))
                state.withLock { _ = $0.written.insert(text) }
            } catch {
                let reason = (error as? DirectoryError)?.code.rawValue ?? "\(error)"
                state.withLock { $0.refusals[reason, default: 0] += 1 }
            }
        }
    }

    private func texts() throws -> String {
        try FileManager.default.subpathsOfDirectory(atPath: sandbox.url("store").path)
            .map { sandbox.url("store").appending(path: $0) }
            .compactMap { try? String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    }

    @Test func nothingThatWritersWroteIsLost() throws {
        let (folder, archive) = try makeCopies()
        let done = DispatchGroup()
        for writer in 0..<Writers.count {
            done.enter()
            Thread.detachNewThread { [self] in
                write(as: writer)
                done.leave()
            }
        }
        defer {
            state.withLock { $0.isOver = true }
            done.wait()
        }
        for number in 0..<Self.restorings {
            let store = try boxes()
            try store.restore(from: number.isMultiple(of: 2) ? folder : archive)
            let ids = number.isMultiple(of: 2) ? [1, 2, 3] : [1, 2, 4]
            #expect(store.items.map(\.id) == ids)
            #expect(try store.child(.notes, of: ids[2]).loaded().map(\.id) == [-1])
        }
        state.withLock { $0.isOver = true }
        done.wait()
        let store = try boxes()
        try store.load()
        #expect(try store.verify() == [])
        let found = try texts()
        let (written, refusals) = state.withLock { ($0.written, $0.refusals) }
        let lost = written.filter { !found.contains($0) }
        #expect(lost.isEmpty, "\(lost.count) of \(written.count)")
        #expect(written.count >= Writers.count)
        print(
            "restorings: \(Self.restorings) while \(Writers.count) writers wrote \(written.count) notes; "
                + "refused: \(refusals)")
    }
}
