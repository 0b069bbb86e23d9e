import FileSystem
import Testing

/// A file system that is made from the image of another one has the same contents.
struct ImageTests {
    private let files = MemoryFileSystem()

    @Test func fileSystemMadeFromAnImageHasTheSameContents() throws {
        let root = try files.openFolder(at: "/")
        try files.put("1", as: "a", in: files.putFolder("folder", in: root))
        let image = files.image
        try files.put("2", as: "later", in: root)
        let copy = MemoryFileSystem(image)
        #expect(copy.image == image)
        #expect(try copy.names(in: copy.openFolder(at: "/")) == ["folder"])
        #expect(try copy.text("a", in: copy.openFolder(at: "/folder")) == "1")
    }

    @Test func imageKeepsBothNamesOfOneFile() throws {
        let root = try files.openFolder(at: "/")
        try files.put("1", as: "a", in: root)
        try files.link("a", in: root, to: "b", in: root)
        let copy = MemoryFileSystem(files.image)
        let top = try copy.openFolder(at: "/")
        #expect(try copy.status(of: "a", in: top)?.linkCount == 2)
        try copy.removeFile("a", in: top)
        #expect(try copy.text("b", in: top) == "1")
    }
}
