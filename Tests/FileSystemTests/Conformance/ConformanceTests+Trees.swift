import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func openOrMakeFolderMakesAFolderOnce(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let made = try files.openOrMakeFolder("a", in: root, mode: 0o750)
            try files.put("", as: "b", in: made)
            let opened = try files.openOrMakeFolder("a", in: root, mode: 0o700)
            #expect(try files.status(of: opened).identity == files.status(of: made).identity)
            #expect(try files.status(of: opened).mode == 0o750)
            #expect(try files.names(in: opened) == ["b"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func openOrMakeFolderKeepsAFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("kept", as: "a", in: root)
            expectFileSystemError(.notFolder) {
                try files.openOrMakeFolder("a", in: root, mode: 0o700)
            }
            #expect(try files.text("a", in: root) == "kept")
        }
    }

    @Test(arguments: Conformer.allCases)
    func removeTreeRemovesAFolderWithItsContents(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let outer = try files.putFolder("a", in: root)
            let inner = try files.putFolder("b", in: outer)
            for folder in [outer, inner] {
                for name: FileName in ["c", "d"] { try files.put("", as: name, in: folder) }
            }
            try files.makeFolder("e", in: inner, mode: 0o700)
            try files.put("kept", as: "f", in: root)
            try files.removeTree("a", in: root)
            #expect(try files.names(in: root) == ["f"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func removeTreeRemovesAFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("", as: "a", in: root)
            try files.removeTree("a", in: root)
            #expect(try files.list(root) == [])
        }
    }

    @Test(arguments: Conformer.allCases)
    func removeTreeOfAMissingNameDoesNothing(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("", as: "a", in: root)
            try files.removeTree("b", in: root)
            #expect(try files.names(in: root) == ["a"])
        }
    }
}
