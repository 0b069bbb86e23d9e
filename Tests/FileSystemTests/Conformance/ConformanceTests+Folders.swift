import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func newFolderIsEmpty(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.makeFolder("a", in: root, mode: 0o700)
            #expect(try files.names(in: root) == ["a"])
            #expect(try files.list(files.openFolder("a", in: root)) == [])
        }
    }

    @Test(arguments: Conformer.allCases)
    func makingAFolderNeedsAFreeName(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("kept", as: "a", in: root)
            try files.makeFolder("b", in: root, mode: 0o700)
            for taken: FileName in ["a", "b"] {
                expectFileSystemError(.fileExists) {
                    try files.makeFolder(taken, in: root, mode: 0o700)
                }
            }
            #expect(try files.text("a", in: root) == "kept")
        }
    }

    @Test(arguments: Conformer.allCases)
    func onlyAFolderOpensAsAFolder(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("", as: "a", in: root)
            expectFileSystemError(.notFolder) { try files.openFolder("a", in: root) }
            expectFileSystemError(.noSuchFile) { try files.openFolder("b", in: root) }
            expectFileSystemError(.notFolder) { try files.openFolderIfPresent("a", in: root) }
            #expect(try files.openFolderIfPresent("b", in: root) == nil)
        }
    }

    @Test(arguments: Conformer.allCases)
    func parentOfAnOpenFolderIsWhereTheFolderIsNow(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            for name: FileName in ["a", "b"] { try files.makeFolder(name, in: root, mode: 0o700) }
            let a = try files.openFolder("a", in: root)
            let identity = { try files.status(of: $0).identity }
            #expect(try identity(files.openParent(of: a)) == identity(root))
            let b = try files.openFolder("b", in: root)
            try files.rename("a", in: root, to: "c", in: b, replacing: false)
            #expect(try identity(files.openParent(of: a)) == identity(b))
        }
    }

    @Test(arguments: Conformer.allCases)
    func rootIsItsOwnParent(_ conformer: Conformer) throws {
        try conformer.withFolder { files, _ in
            let root = try files.openFolder(at: "/")
            let parent = try files.openParent(of: root)
            #expect(try files.status(of: parent).identity == files.status(of: root).identity)
        }
    }

    @Test(arguments: Conformer.allCases)
    func listingIsCompleteEveryTime(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let names = try (1...500).map { try FileName(validating: "name \($0)") }
            for name in names { try files.put("", as: name, in: root) }
            for _ in 1...2 {
                let listed = try files.list(root)
                #expect(listed.count == 500)
                #expect(Set(listed) == Set(names))
            }
        }
    }

    @Test(arguments: Conformer.allCases)
    func fileHandleCannotBeUsedAsAFolder(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("", as: "a", in: root)
            expectFileSystemError(.notFolder) { try files.list(file) }
            expectFileSystemError(.notFolder) { try files.openFolder("b", in: file) }
            expectFileSystemError(.notFolder) { try files.makeFolder("b", in: file, mode: 0o700) }
            expectFileSystemError(.notFolder) {
                try files.openFile("b", in: file, for: .create(mode: 0o600))
            }
            expectFileSystemError(.notFolder) { try files.status(of: "b", in: file) }
            expectFileSystemError(.notFolder) {
                try files.rename("a", in: root, to: "b", in: file, replacing: true)
            }
            expectFileSystemError(.notFolder) {
                try files.rename("missing", in: root, to: "b", in: file, replacing: true)
            }
            expectFileSystemError(.notFolder) { try files.link("a", in: root, to: "b", in: file) }
            expectFileSystemError(.notFolder) { try files.removeFile("b", in: file) }
            expectFileSystemError(.notFolder) { try files.removeFolder("b", in: file) }
        }
    }

    @Test(arguments: Conformer.allCases)
    func folderOpensByItsPath(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let inner = try files.putFolder("b", in: files.putFolder("a", in: root))
            try files.put("", as: "c", in: inner)
            for path in ["a/b", "a//b/", "a/./b", "a/../a/b"] {
                let opened = try files.openFolder(at: "\(root.path)/\(path)")
                #expect(try files.status(of: opened) == files.status(of: inner))
            }
            let itself = try files.openFolderItself(at: "\(root.path)/a/b/")
            #expect(try files.status(of: itself) == files.status(of: inner))
            expectFileSystemError(.noSuchFile) { try files.openFolderItself(at: "\(root.path)/b") }
            expectFileSystemError(.notFolder) {
                try files.openFolderItself(at: "\(root.path)/a/b/c")
            }
            expectFileSystemError(.noSuchFile) { try files.openFolder(at: "\(root.path)/b") }
            expectFileSystemError(.noSuchFile) { try files.openFolder(at: "") }
            expectFileSystemError(.notFolder) { try files.openFolder(at: "\(root.path)/a/b/c") }
        }
    }

    @Test(arguments: Conformer.allCases)
    func pathWithANULIsInvalid(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            expectFileSystemError(.invalidArgument) { try files.openFolder(at: "\(root.path)\0b") }
            expectFileSystemError(.invalidArgument) {
                try files.openFolderItself(at: "\(root.path)\0b")
            }
            expectFileSystemError(.invalidArgument) { try files.resolve("\(root.path)\0b") }
        }
    }

    @Test(arguments: Conformer.allCases)
    func resolvedPathHasNoDots(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("", as: "b", in: files.putFolder("a", in: root))
            let path = try files.resolve(root.path)
            #expect(try files.resolve("\(root.path)/a//../a/.") == path + ["a"])
            #expect(try files.resolve("/") == [])
            expectFileSystemError(.noSuchFile) { try files.resolve("\(root.path)/b") }
            expectFileSystemError(.noSuchFile) { try files.resolve("\(root.path)/b/..") }
            expectFileSystemError(.noSuchFile) { try files.resolve("") }
            expectFileSystemError(.notFolder) { try files.resolve("\(root.path)/a/b") }
        }
    }

    @Test(arguments: Conformer.allCases)
    func onlyAnEmptyFolderIsRemoved(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let folder = try files.putFolder("a", in: root)
            try files.put("", as: "b", in: folder)
            expectFileSystemError(.directoryNotEmpty) { try files.removeFolder("a", in: root) }
            expectFileSystemError(.notFolder) { try files.removeFolder("b", in: folder) }
            expectFileSystemError(.noSuchFile) { try files.removeFolder("c", in: root) }
            try files.removeFile("b", in: folder)
            try files.removeFolder("a", in: root)
            #expect(try files.list(root) == [])
        }
    }

    @Test(arguments: Conformer.allCases)
    func nothingCanBeAddedToARemovedFolder(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let removed = try files.putFolder("a", in: root)
            try files.put("", as: "b", in: root)
            try files.removeFolder("a", in: root)
            expectFileSystemError(.noSuchFile) {
                try files.makeFolder("c", in: removed, mode: 0o700)
            }
            for access in [FileAccess.create(mode: 0o600), .openOrCreate(mode: 0o600)] {
                expectFileSystemError(.noSuchFile) {
                    try files.openFile("c", in: removed, for: access)
                }
            }
            for replacing in [false, true] {
                expectFileSystemError(.noSuchFile) {
                    try files.rename("b", in: root, to: "c", in: removed, replacing: replacing)
                }
            }
            expectFileSystemError(.noSuchFile) {
                try files.link("b", in: root, to: "c", in: removed)
            }
            #expect(try files.list(removed) == [])
            #expect(try files.status(of: "c", in: removed) == nil)
            #expect(try files.status(of: removed).linkCount == 0)
            #expect(try files.names(in: root) == ["b"])
        }
    }
}
