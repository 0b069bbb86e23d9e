import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases, [false, true])
    func renameMovesAFileBetweenFolders(_ conformer: Conformer, _ replacing: Bool) throws {
        try conformer.withFolder { files, root in
            let folder = try files.putFolder("folder", in: root)
            try files.put("1", as: "a", in: root)
            try files.rename("a", in: root, to: "b", in: folder, replacing: replacing)
            #expect(try files.names(in: root) == ["folder"])
            #expect(try files.text("b", in: folder) == "1")
        }
    }

    @Test(arguments: Conformer.allCases)
    func renamedFolderKeepsItsContents(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let other = try files.putFolder("other", in: root)
            let folder = try files.putFolder("folder", in: root)
            try files.put("1", as: "a", in: folder)
            try files.rename("folder", in: root, to: "moved", in: other, replacing: false)
            try files.put("2", as: "b", in: folder)
            let moved = try files.openFolder("moved", in: other)
            #expect(try files.text("a", in: moved) == "1")
            #expect(try files.text("b", in: moved) == "2")
            #expect(try files.names(in: root) == ["other"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func twoNamesAreExchanged(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "inside", in: files.putFolder("a", in: root))
            try files.put("2", as: "b", in: root)
            #expect(try files.exchange("a", with: "b", in: root))
            #expect(try files.text("a", in: root) == "2")
            #expect(try files.text("inside", in: files.openFolder("b", in: root)) == "1")
            #expect(try files.names(in: root) == ["a", "b"])
            expectFileSystemError(.noSuchFile) {
                _ = try files.exchange("a", with: "missing", in: root)
            }
        }
    }

    @Test(arguments: Conformer.allCases, [false, true])
    func renamingAMissingNameFails(_ conformer: Conformer, _ replacing: Bool) throws {
        try conformer.withFolder { files, root in
            try files.put("kept", as: "b", in: root)
            expectFileSystemError(.noSuchFile) {
                try files.rename("a", in: root, to: "b", in: root, replacing: replacing)
            }
            #expect(try files.text("b", in: root) == "kept")
        }
    }

    @Test(arguments: Conformer.allCases)
    func renameReplacesAFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            let replaced = try files.put("2", as: "b", in: root)
            try files.rename("a", in: root, to: "b", in: root, replacing: true)
            #expect(try files.names(in: root) == ["b"])
            #expect(try files.text("b", in: root) == "1")
            #expect(try files.text(of: replaced) == "2")
            #expect(try files.status(of: replaced).linkCount == 0)
        }
    }

    @Test(arguments: Conformer.allCases)
    func folderReplacesOnlyAnEmptyFolder(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "inside", in: files.putFolder("a", in: root))
            let full = try files.putFolder("full", in: root)
            try files.put("kept", as: "b", in: full)
            let empty = try files.putFolder("empty", in: root)
            expectFileSystemError(.directoryNotEmpty) {
                try files.rename("a", in: root, to: "full", in: root, replacing: true)
            }
            try files.rename("a", in: root, to: "empty", in: root, replacing: true)
            #expect(try files.names(in: root) == ["empty", "full"])
            #expect(try files.names(in: files.openFolder("empty", in: root)) == ["inside"])
            #expect(try files.names(in: full) == ["b"])
            #expect(try files.status(of: empty).linkCount == 0)
        }
    }

    @Test(arguments: Conformer.allCases)
    func filesAndFoldersNeverReplaceEachOther(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.makeFolder("b", in: root, mode: 0o700)
            expectFileSystemError(.isFolder) {
                try files.rename("a", in: root, to: "b", in: root, replacing: true)
            }
            expectFileSystemError(.notFolder) {
                try files.rename("b", in: root, to: "a", in: root, replacing: true)
            }
            #expect(try files.text("a", in: root) == "1")
            #expect(try files.status(of: "b", in: root)?.kind == .folder)
        }
    }

    @Test(arguments: Conformer.allCases)
    func exclusiveRenameReplacesNothing(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.put("2", as: "b", in: root)
            try files.makeFolder("c", in: root, mode: 0o700)
            try files.makeFolder("d", in: root, mode: 0o700)
            for (old, new): (FileName, FileName) in [
                ("a", "b"), ("a", "c"), ("c", "a"), ("c", "d"), ("a", "a"),
            ] {
                expectFileSystemError(.fileExists) {
                    try files.rename(old, in: root, to: new, in: root, replacing: false)
                }
            }
            #expect(try files.names(in: root) == ["a", "b", "c", "d"])
            #expect(try files.text("b", in: root) == "2")
        }
    }

    @Test(arguments: Conformer.allCases)
    func renameToItselfChangesNothing(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.makeFolder("b", in: root, mode: 0o700)
            try files.rename("a", in: root, to: "a", in: root, replacing: true)
            try files.rename("b", in: root, to: "b", in: root, replacing: true)
            #expect(try files.names(in: root) == ["a", "b"])
            #expect(try files.text("a", in: root) == "1")
        }
    }

    @Test(arguments: Conformer.allCases)
    func folderCannotMoveIntoItselfOrBelow(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let outer = try files.putFolder("outer", in: root)
            let inner = try files.putFolder("inner", in: outer)
            try files.put("1", as: "file", in: inner)
            for (folder, name): (Handle, FileName) in [
                (outer, "new"), (inner, "new"), (inner, "file"), (outer, "inner"),
            ] {
                expectFileSystemError(.invalidArgument) {
                    try files.rename("outer", in: root, to: name, in: folder, replacing: true)
                }
            }
            expectFileSystemError(.invalidArgument) {
                try files.rename("outer", in: root, to: "new", in: inner, replacing: false)
            }
            #expect(try files.names(in: root) == ["outer"])
            #expect(try files.names(in: outer) == ["inner"])
            #expect(try files.names(in: inner) == ["file"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func nothingReplacesAFolderThatContainsIt(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let outer = try files.putFolder("outer", in: root)
            try files.put("1", as: "file", in: outer)
            try files.makeFolder("inner", in: outer, mode: 0o700)
            for name: FileName in ["file", "inner"] {
                expectFileSystemError(.directoryNotEmpty) {
                    try files.rename(name, in: outer, to: "outer", in: root, replacing: true)
                }
            }
            #expect(try files.names(in: outer) == ["file", "inner"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func moveEndsTheMoveOfAFileInBothFolders(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let folder = try files.putFolder("folder", in: root)
            try files.put("1", as: "a", in: root)
            try files.link("a", in: root, to: "b", in: folder)
            try files.move("a", in: root, to: "b", in: folder)
            #expect(try files.names(in: root) == ["folder"])
            #expect(try files.text("b", in: folder) == "1")
            #expect(try !files.moveIfPresent("a", in: root, to: "b", in: folder))
        }
    }

    @Test(arguments: Conformer.allCases)
    func moveReplacesNoOtherFileAndNoNameInItsFolder(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.link("a", in: root, to: "b", in: root)
            try files.put("2", as: "c", in: root)
            let folder = try files.putFolder("folder", in: root)
            try files.put("3", as: "a", in: folder)
            for (name, target): (FileName, Handle) in [("b", root), ("c", root), ("a", folder)] {
                expectFileSystemError(.fileExists) {
                    try files.move("a", in: root, to: name, in: target)
                }
            }
            #expect(try files.names(in: root) == ["a", "b", "c", "folder"])
            #expect(try files.text("a", in: folder) == "3")
        }
    }
}
