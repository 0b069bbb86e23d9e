import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func lockBelongsToOneHandleUntilItIsClosed(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            var holders = [try files.put("", as: "a", in: root)]
            let second = try files.openFile("a", in: root, for: .read)
            #expect(try files.tryLock(holders[0]))
            #expect(try files.tryLock(holders[0]))
            #expect(try !files.tryLock(second))
            holders = []
            #expect(try files.tryLock(second))
            #expect(try !files.tryLock(files.openFile("a", in: root, for: .update)))
        }
    }

    @Test(arguments: Conformer.allCases)
    func closingAHandleWithoutTheLockKeepsTheLock(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let holder = try files.put("", as: "a", in: root)
            #expect(try files.tryLock(holder))
            for _ in 1...2 {
                #expect(try !files.tryLock(files.openFile("a", in: root, for: .update)))
            }
            #expect(try files.tryLock(holder))
        }
    }

    @Test(arguments: Conformer.allCases)
    func locksOfTwoFilesAreIndependent(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let first = try files.put("", as: "a", in: root)
            let second = try files.put("", as: "b", in: root)
            #expect(try files.tryLock(first))
            #expect(try files.tryLock(second))
            #expect(try !files.tryLock(files.openFile("a", in: root, for: .read)))
        }
    }

    @Test(arguments: Conformer.allCases)
    func sharedLocksOfAFolderExcludeTheExclusiveOne(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.makeFolder("a", in: root, mode: 0o700)
            let openFolder = { try files.openFolder("a", in: root) }
            var readers = [try openFolder(), try openFolder()]
            for reader in readers { #expect(try files.tryLock(reader, shared: true)) }
            let writer = try openFolder()
            #expect(try !files.tryLock(writer))
            readers.removeLast()
            #expect(try !files.tryLock(writer))
            readers = []
            #expect(try files.tryLock(writer))
            #expect(try !files.tryLock(openFolder(), shared: true))
        }
    }

    @Test(arguments: Conformer.allCases)
    func lockBelongsToTheFileNotToItsName(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let holder = try files.put("", as: "a", in: root)
            #expect(try files.tryLock(holder))
            try files.rename("a", in: root, to: "b", in: root, replacing: false)
            #expect(try !files.tryLock(files.openFile("b", in: root, for: .read)))
            #expect(try files.tryLock(files.put("", as: "a", in: root)))
            try files.removeFile("b", in: root)
            #expect(try files.tryLock(files.put("", as: "b", in: root)))
            #expect(try files.tryLock(holder))
        }
    }
}
