import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func readStopsAtTheEnd(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("12345", as: "a", in: root)
            #expect(try files.read(file, at: 0, count: 2) == Array("12".utf8))
            #expect(try files.read(file, at: 3, count: 2) == Array("45".utf8))
            #expect(try files.read(file, at: 3, count: 100) == Array("45".utf8))
            #expect(try files.read(file, at: 5, count: 1) == [])
            #expect(try files.read(file, at: 1_000, count: 1) == [])
        }
    }

    @Test(arguments: Conformer.allCases)
    func writeReplacesBytesInPlace(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("12345", as: "a", in: root)
            try files.write(Array("ab".utf8), to: file, at: 1)
            #expect(try files.text(of: file) == "1ab45")
            try files.write(Array("cde".utf8), to: file, at: 4)
            #expect(try files.text("a", in: root) == "1ab4cde")
        }
    }

    @Test(arguments: Conformer.allCases)
    func writeBeyondTheEndFillsTheGapWithZeros(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            try files.write([7], to: file, at: 9_000)
            #expect(try files.status(of: file).size == 9_001)
            let zeros = [UInt8](repeating: 0, count: 8_999)
            #expect(try files.readAll(file) == Array("1".utf8) + zeros + [7])
        }
    }

    @Test(arguments: Conformer.allCases)
    func writingNothingChangesNothing(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            let before = try files.status(of: file)
            try files.write([], to: file, at: 10)
            #expect(try files.status(of: file) == before)
        }
    }

    @Test(arguments: Conformer.allCases)
    func handleForReadingCannotWrite(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let source = try files.put("new", as: "b", in: root)
            try files.put("kept", as: "a", in: root)
            let reader = try files.openFile("a", in: root, for: .read)
            expectFileSystemError(.badDescriptor) { try files.write([1], to: reader, at: 0) }
            expectFileSystemError(.badDescriptor) {
                try files.copy(source, to: reader, at: 0, count: 3)
            }
            #expect(try files.text("a", in: root) == "kept")
        }
    }

    @Test(arguments: Conformer.allCases)
    func folderHasNoBytes(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("kept", as: "a", in: root)
            expectFileSystemError(.isFolder) { try files.read(root, at: 0, count: 1) }
            expectFileSystemError(.badDescriptor) { try files.write([1], to: root, at: 0) }
            expectFileSystemError(.isFolder) { try files.copy(root, to: file, at: 0, count: 1) }
            expectFileSystemError(.isFolder) { try files.copy(file, to: root, at: 0, count: 1) }
            let (new, isClone) = try files.createFile("b", in: root, mode: 0o600, cloning: root)
            #expect(try !isClone && files.text(of: new) == "")
            #expect(try files.text(of: file) == "kept")
        }
    }

    @Test(arguments: Conformer.allCases)
    func negativeOffsetIsInvalid(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("kept", as: "a", in: root)
            let other = try files.put("", as: "b", in: root)
            expectFileSystemError(.invalidArgument) { try files.read(file, at: -1, count: 1) }
            expectFileSystemError(.invalidArgument) { try files.write([1], to: file, at: -1) }
            expectFileSystemError(.invalidArgument) {
                try files.copy(file, to: other, at: -1, count: 1)
            }
            #expect(try files.text(of: file) == "kept")
        }
    }

    @Test(arguments: Conformer.allCases, [0, 1, 4_095, 4_096, 4_097, 100_000])
    func readAllReadsAllBytes(_ conformer: Conformer, _ count: Int) throws {
        try conformer.withFolder { files, root in
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let file = try files.openFile("a", in: root, for: .create(mode: 0o600))
            try files.write(bytes, to: file, at: 0)
            #expect(try files.readAll(file) == bytes)
            #expect(try files.readAll("a", in: root) == bytes)
        }
    }

    @Test(arguments: Conformer.allCases)
    func readAllOfAMissingFileIsNil(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.makeFolder("b", in: root, mode: 0o700)
            #expect(try files.readAll("a", in: root) == nil)
            expectFileSystemError(.isFolder) { try files.readAll("b", in: root) }
        }
    }

    @Test(arguments: Conformer.allCases)
    func anyHandleCanBeSynced(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.sync(files.put("kept", as: "a", in: root))
            try files.sync(files.openFile("a", in: root, for: .read))
            try files.sync(root)
            #expect(try files.text("a", in: root) == "kept")
        }
    }
}
