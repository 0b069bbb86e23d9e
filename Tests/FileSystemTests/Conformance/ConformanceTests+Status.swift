import FileSystem
import Foundation
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func statusHasKindSizeAndMode(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.openFile("a", in: root, for: .create(mode: 0o640))
            try files.makeFolder("b", in: root, mode: 0o750)
            #expect(try files.status(of: file).size == 0)
            try files.write([1, 2, 3], to: file, at: 0)
            let found = try #require(try files.status(of: "a", in: root))
            #expect(found.kind == .file)
            #expect(found.size == 3)
            #expect(found.mode == 0o640)
            #expect(found.linkCount == 1)
            let folder = try #require(try files.status(of: "b", in: root))
            #expect(folder.kind == .folder)
            #expect(folder.mode == 0o750)
            #expect(try files.status(of: "c", in: root) == nil)
        }
    }

    @Test(arguments: Conformer.allCases)
    func statusIsTheSameByNameAndByHandle(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            let folder = try files.putFolder("b", in: root)
            #expect(try files.status(of: file) == files.status(of: "a", in: root))
            #expect(try files.status(of: folder) == files.status(of: "b", in: root))
            #expect(try files.status(of: file).identity != files.status(of: folder).identity)
        }
    }

    @Test(arguments: Conformer.allCases)
    func identityStaysWithAFileAcrossARename(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            let replaced = try files.put("2", as: "b", in: root)
            let identity = try files.status(of: file).identity
            try files.rename("a", in: root, to: "b", in: root, replacing: true)
            #expect(try files.status(of: "b", in: root)?.identity == identity)
            #expect(try files.status(of: file).identity == identity)
            #expect(try files.status(of: replaced).identity != identity)
        }
    }

    @Test(arguments: Conformer.allCases)
    func writeAdvancesBothTimes(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            let before = try files.status(of: file)
            letTimePass()
            _ = try files.readAll(file)
            #expect(try files.status(of: file) == before)
            try files.write([2], to: file, at: 0)
            let after = try files.status(of: file)
            #expect(after.modified > before.modified)
            #expect(after.changed > before.changed)
        }
    }

    @Test(arguments: Conformer.allCases)
    func timesAreThoseOfTheClock(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let start = Date()
            let found = try files.status(of: files.put("1", as: "a", in: root))
            #expect(abs(found.modified.seconds - FileTime(start).seconds) < 60)
            #expect(abs(found.changed.seconds - FileTime(start).seconds) < 60)
            #expect(abs(found.modificationDate.timeIntervalSince(start)) < 60)
        }
    }

    @Test(arguments: Conformer.allCases)
    func changingNamesAdvancesOnlyTheChangedTimeOfAFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            let steps: [() throws -> Void] = [
                { try files.rename("a", in: root, to: "b", in: root, replacing: false) },
                { try files.link("b", in: root, to: "c", in: root) },
                { try files.removeFile("b", in: root) },
                { try files.removeFile("c", in: root) },
            ]
            for step in steps {
                let before = try files.status(of: file)
                letTimePass()
                try step()
                let after = try files.status(of: file)
                #expect(after.modified == before.modified)
                #expect(after.changed > before.changed)
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func changingNamesAdvancesTheTimesOfTheirFolder(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let other = try files.putFolder("other", in: root)
            let folder = try files.putFolder("folder", in: root)
            let steps: [() throws -> Void] = [
                { try files.put("1", as: "a", in: folder) },
                { try files.makeFolder("b", in: folder, mode: 0o700) },
                { try files.rename("a", in: folder, to: "c", in: folder, replacing: false) },
                { try files.link("c", in: folder, to: "d", in: folder) },
                { try files.rename("c", in: folder, to: "c", in: other, replacing: false) },
                { try files.rename("c", in: other, to: "d2", in: folder, replacing: false) },
                { try files.removeFile("d", in: folder) },
                { try files.removeFolder("b", in: folder) },
            ]
            for (number, step) in steps.enumerated() {
                let before = try files.status(of: folder)
                letTimePass()
                try step()
                let after = try files.status(of: folder)
                #expect(after.modified > before.modified, "step \(number)")
                #expect(after.changed > before.changed, "step \(number)")
            }
        }
    }

    /// Waits longer than one tick of a file system's clock, which is at most 10 ms on Linux.
    private func letTimePass() { Thread.sleep(forTimeInterval: 0.02) }
}
