import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Syncs that fail while the journals of a write to several collections are synced together.
struct JointSyncTests {
    /// Lets one sync of a participant's journal fail; afterwards also new files, if `isFull`.
    private final class Failure: Sendable {
        private let state = Mutex<(left: Int?, isFull: Bool, hasFailed: Bool)>((nil, false, false))

        var hasFailed: Bool { state.withLock { $0.hasFailed } }

        func begin(after syncs: Int, isFull: Bool) {
            state.withLock { $0 = (syncs, isFull, false) }
        }

        func end() { state.withLock { $0.left = nil } }

        func fate(_ line: String) -> ProcessFileSystem.Fate {
            state.withLock { state in
                guard let left = state.left else { return .works }
                if state.hasFailed {
                    let isNew = line.hasPrefix("write ") && line.contains(".tmp")
                    return state.isFull && isNew ? .fails(.noSpace) : .works
                }
                guard line.hasPrefix("sync "), line.hasSuffix("/.notes.journal") else {
                    return .works
                }
                state.left = left - 1
                state.hasFailed = left == 0
                return left == 0 ? .fails(.ioError) : .works
            }
        }
    }

    @Test(arguments: 0..<4, [false, true])
    func failedSyncKeepsNoJournalInUse(number: Int, isFull: Bool) throws {
        let sandbox = try Sandbox()
        let failure = Failure()
        let process = ProcessFileSystem(LocalFileSystem()) { _, line in failure.fate(line) }
        var options = DirectoryOptions()
        options.journalTime = nil
        _ = try sandbox.twoBoxes()
        let boxes = try Directory<Box>(
            at: sandbox.url, index: "boxes.json", options: options, on: process)
        // Their journals would end with them.
        let children = try (1...2).map { try boxes.child(.notes, of: $0) }
        defer { withExtendedLifetime(children) {} }
        let write = { (title: String) in
            try boxes.write { draft in
                try draft.move(fromOffsets: [0], toOffset: 2)
                for id in 1...2 {
                    try draft.write(.notes, of: id) { try $0.update(id: id) { $0.title = title } }
                }
            }
        }
        // The first write makes the journals.
        try write("first")
        let journals = { ["One", "Two"].map { sandbox.status("\($0)/.notes.journal")?.identity } }
        let old = journals()
        // No new file gets the numbers of those that are open.
        let open = try ["One", "Two"].map {
            try FileHandle(forReadingFrom: sandbox.url("\($0)/.notes.journal"))
        }
        defer { withExtendedLifetime(open) {} }

        failure.begin(after: number, isFull: isFull)
        if isFull {
            #expect(throws: DirectoryError.self) { try write("second") }
        } else {
            try write("second")
        }
        #expect(failure.hasFailed)
        failure.end()
        try write("third")
        for (new, old) in zip(journals(), old) { #expect(new != nil && new != old) }
        for name in ["One", "Two"] {
            let notes = try Directory<Note>(at: sandbox.url(name), index: "notes.json")
            #expect(try notes.loaded().map(\.title) == ["third"])
        }
        #expect(try boxes.verify() == [])
    }
}
