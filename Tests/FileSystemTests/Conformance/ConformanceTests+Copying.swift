import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func piecesCopyToTheSameOffsets(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let bytes = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
            let source = try files.put("", as: "a", in: root)
            try files.write(bytes, to: source, at: 0)
            let target = try files.put("", as: "b", in: root)
            var done = 0
            while let count = try files.copy(source, to: target, at: done, count: 4_096), count > 0
            {
                #expect(count <= 4_096)
                done += count
                #expect(try files.readAll(target) == Array(bytes[..<done]))
            }
            #expect(done == bytes.count)
        }
    }

    @Test(arguments: Conformer.allCases)
    func copyReplacesNoOtherBytes(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let source = try files.put("12345", as: "a", in: root)
            let target = try files.put("abcdefg", as: "b", in: root)
            #expect(try files.copy(source, to: target, at: 2, count: 2) == 2)
            #expect(try files.text(of: target) == "ab34efg")
        }
    }

    @Test(arguments: Conformer.allCases)
    func copyBeyondTheEndOfItsTargetFillsTheGapWithZeros(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let source = try files.put("12345", as: "a", in: root)
            let target = try files.put("a", as: "b", in: root)
            #expect(try files.copy(source, to: target, at: 3, count: 100) == 2)
            #expect(try files.text(of: target) == "a\0\045")
        }
    }

    @Test(arguments: Conformer.allCases)
    func copyingFromPastTheEndChangesNothing(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let source = try files.put("1", as: "a", in: root)
            let target = try files.put("a", as: "b", in: root)
            #expect(try files.copy(source, to: target, at: 1, count: 10) == 0)
            #expect(try files.copy(source, to: target, at: 100, count: 10) == 0)
            #expect(try files.text(of: target) == "a")
        }
    }

    @Test(arguments: Conformer.allCases)
    func cloneIsAnIndependentFileWithAllBytesOrNone(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let source = try files.put("12345", as: "a", in: root)
            let (target, cloned) = try files.createFile(
                "b", in: root, mode: 0o640, cloning: source)
            #expect(cloned || conformer == .local)
            #expect(try files.status(of: target).mode == 0o640)
            expectFileSystemError(.fileExists) {
                try files.createFile("b", in: root, mode: 0o600, cloning: source)
            }
            #expect(try files.text(of: target) == (cloned ? "12345" : ""))
            try files.write(Array("abcdef".utf8), to: source, at: 0)
            #expect(try files.text(of: target) == (cloned ? "12345" : ""))
        }
    }
}
