import FileSystem
import TestSupport
import Testing

extension ConformanceTests {
    @Test(arguments: Conformer.allCases)
    func linkIsASecondNameOfOneFile(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let folder = try files.putFolder("folder", in: root)
            let file = try files.put("1", as: "a", in: root)
            try files.link("a", in: root, to: "b", in: folder)
            #expect(try files.status(of: file).linkCount == 2)
            #expect(try files.status(of: "a", in: root) == files.status(of: "b", in: folder))
            try files.write(Array("2".utf8), to: file, at: 1)
            #expect(try files.text("b", in: folder) == "12")
        }
    }

    @Test(arguments: Conformer.allCases)
    func fileStaysUntilItsLastNameIsRemoved(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            let file = try files.put("1", as: "a", in: root)
            try files.link("a", in: root, to: "b", in: root)
            try files.removeFile("a", in: root)
            #expect(try files.names(in: root) == ["b"])
            #expect(try files.text("b", in: root) == "1")
            #expect(try files.status(of: file).linkCount == 1)
            try files.removeFile("b", in: root)
            #expect(try files.status(of: file).linkCount == 0)
        }
    }

    @Test(arguments: Conformer.allCases)
    func linkNeedsAFreeName(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.put("2", as: "b", in: root)
            try files.makeFolder("c", in: root, mode: 0o700)
            for taken: FileName in ["a", "b", "c"] {
                expectFileSystemError(.fileExists) {
                    try files.link("a", in: root, to: taken, in: root)
                }
            }
            #expect(try files.text("b", in: root) == "2")
            #expect(try files.status(of: "a", in: root)?.linkCount == 1)
        }
    }

    @Test(arguments: Conformer.allCases)
    func onlyAFileCanBeLinked(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.makeFolder("b", in: root, mode: 0o700)
            expectFileSystemError(.noSuchFile) { try files.link("c", in: root, to: "d", in: root) }
            expectFileSystemError(.notPermitted) {
                try files.link("b", in: root, to: "d", in: root)
            }
            expectFileSystemError(.fileExists) { try files.link("b", in: root, to: "a", in: root) }
            #expect(try files.names(in: root) == ["a", "b"])
        }
    }

    @Test(arguments: Conformer.allCases)
    func renamingOneNameOverTheOtherKeepsBoth(_ conformer: Conformer) throws {
        try conformer.withFolder { files, root in
            try files.put("1", as: "a", in: root)
            try files.link("a", in: root, to: "b", in: root)
            try files.rename("a", in: root, to: "b", in: root, replacing: true)
            #expect(try files.names(in: root) == ["a", "b"])
            expectFileSystemError(.fileExists) {
                try files.rename("a", in: root, to: "b", in: root, replacing: false)
            }
            #expect(try files.status(of: "a", in: root)?.linkCount == 2)
        }
    }
}
