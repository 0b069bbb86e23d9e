import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Somebody copies or moves a folder by hand while a killed transfer is unfinished in it.
@Suite(.timeLimit(.minutes(30))) struct CopiedTransferTests {
    /// The collections of photographs, and the one that is transferred.
    private struct Store {
        let sandbox: Sandbox
        let photo: Photo

        /// Makes the collections and kills the transfer from X to Y before its call with this number.
        ///
        /// - Returns: Nil if the transfer has fewer calls.
        init?(killedAt number: Int) throws {
            sandbox = try Sandbox()
            photo = try sandbox.photos("X").insert(Data("photo".utf8), name: "a.jpg")
            _ = try sandbox.photos("Y").insert(Data("other".utf8), name: "b.jpg")
            let calls = Calls()
            let process = ProcessFileSystem(LocalFileSystem()) { _, _ in calls.next(number) }
            let sides = try ["X", "Y"].map {
                try Directory<Photo>(at: sandbox.url($0), index: "photos.json", on: process)
            }
            for side in sides { try side.load() }
            calls.begin()
            do {
                try sides[0].transfer([photo.id], to: sides[1])
                return nil
            } catch {}
        }

        /// The folders among `paths` that have the photograph and its file.
        func owners(_ paths: String...) throws -> [String] {
            try paths.filter { path in
                let photos = try sandbox.photos(path)
                guard photos[id: photo.id] != nil else { return false }
                return try photos.data(of: photo.id) == Data("photo".utf8)
            }
        }

        /// Expects that each collection has what its items say, and nothing else.
        func expectClean(_ paths: String...) throws {
            for path in paths {
                let findings = try sandbox.photos(path).verify()
                #expect(findings == [], "\(path)")
                #expect(try sandbox.leftovers(path).isEmpty)
            }
        }
    }

    /// Counts the calls of a process from a moment on.
    private final class Calls: Sendable {
        private let count = Mutex<Int?>(nil)

        func begin() { count.withLock { $0 = -1 } }

        func next(_ last: Int) -> ProcessFileSystem.Fate {
            count.withLock { count in
                count = count.map { $0 + 1 }
                return count == last ? .killed : .works
            }
        }
    }

    /// Calls `body` with the store as it is after a kill before calls of the transfer.
    private func forEachKill(_ scenario: String = #function, _ body: (Store) throws -> Void) throws
    {
        var sweep = Sweep(for: scenario)
        var kills = 0
        for number in sweep.numbers(below: 1_000, step: 6) {
            guard let store = try Store(killedAt: number) else { break }
            try body(store)
            kills += 1
        }
        #expect(kills > TestSize.choose(sample: 0, gate: 3, full: 3))
    }

    @Test func aCopyOfTheSourceTakesNothingFromTheTarget() throws {
        try forEachKill { store in
            try store.sandbox.copy("X", to: "X copy")
            _ = try store.sandbox.photos("X copy")
            #expect(try store.owners("X", "Y").count == 1)
            try store.expectClean("X", "Y")
            // The copy can be used once somebody has said that the transfer is not to go on.
            let copy = try store.sandbox.photos("X copy")
            _ = try copy.repair()
            try copy.insert(Data("new".utf8), name: "c.jpg")
        }
    }

    @Test func aCopyOfTheTargetTakesNothingFromTheSource() throws {
        try forEachKill { store in
            try store.sandbox.copy("Y", to: "Y copy")
            _ = try store.sandbox.photos("Y copy")
            try store.sandbox.photos("Y copy").insert(Data("new".utf8), name: "c.jpg")
            #expect(try store.owners("X", "Y").count == 1)
            try store.expectClean("X", "Y")
        }
    }

    @Test(arguments: Sweep.cases(["X", "Y"], sample: 1)) func aCopyOfBothEndsItsOwnTransfer(
        _ first: String
    ) throws {
        try forEachKill { store in
            for side in ["X", "Y"] { try store.sandbox.copy(side, to: "copy/\(side)") }
            _ = try store.sandbox.photos("copy/\(first)")
            #expect(try store.owners("copy/X", "copy/Y").count == 1)
            #expect(try store.owners("X", "Y").count == 1)
            try store.expectClean("X", "Y", "copy/X", "copy/Y")
        }
    }

    @Test(arguments: Sweep.cases(["X", "Y"], sample: 1)) func aSideThatWasRenamedEndsTheTransfer(
        _ side: String
    ) throws {
        try forEachKill { store in
            try store.sandbox.move(side, to: "renamed")
            try store.sandbox.photos("renamed").write { _ in }
            let other = side == "X" ? "Y" : "X"
            #expect(try store.owners("renamed", other).count == 1)
            try store.expectClean("renamed", other)
        }
    }
}
