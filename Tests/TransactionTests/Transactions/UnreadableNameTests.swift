#if os(Linux)
    import DirectoryTestSupport
    import Directory
    import FileSystem
    import Foundation
    import StoreModel
    import TestSupport
    import Testing

    /// Folders above a store whose names are not UTF-8, which a link or the current folder can lead to.
    struct UnreadableNameTests {
        private let sandbox: Sandbox

        init() throws {
            sandbox = try Sandbox()
            for (link, bytes) in [("link", [0xE9, 0x74, 0xE9]), ("other", [0xE8, 0x74])]
                as [(String, [UInt8])]
            {
                let files = LocalFileSystem()
                let root = try files.openFolder(at: sandbox.url.path)
                let name = try #require(FileName(bytes: bytes))
                try files.makeFolder(name, in: root, mode: 0o755)
                let target = bytes.map(CChar.init(bitPattern:)) + [0]
                try #require(symlink(target, sandbox.url(link).path) == 0)
            }
        }

        private func boxes(_ path: String) throws -> Directory<Box> {
            let boxes = try Directory<Box>(at: sandbox.url(path), index: "boxes.json")
            try boxes.append(Box(id: 1, folderName: "One"))
            try boxes.append(Box(id: 2, folderName: "Two"))
            return boxes
        }

        @Test func changesOfSeveralCollectionsWork() throws {
            let boxes = try boxes("link/store")
            let (one, two) = (try boxes.child(.photos, of: 1), try boxes.child(.photos, of: 2))
            let photo = try one.insert(Data("photo".utf8))
            try one.transfer([photo.id], to: two)
            #expect(try two.data(of: photo.id) == Data("photo".utf8))
            try boxes.write { draft in
                try draft.write(.notes, of: 1) { try $0.append(.eggs) }
                try draft.write(.notes, of: 2) { try $0.append(.milk) }
            }
            let inner = try boxes.child(.parts, of: 1)
            try boxes.transfer([2], to: inner)
            #expect(inner.items.map(\.id) == [2])
            try boxes.copy(to: sandbox.url("link/copy"))
            #expect(try boxes.verify() == [])
        }

        /// A path between two collections is in their records, which are text.
        @Test func transferAcrossSuchANameSaysSo() throws {
            let (boxes, others) = try (boxes("link/store"), boxes("other/store"))
            let photo = try boxes.child(.photos, of: 1).insert(Data("photo".utf8))
            let error = #expect(throws: DirectoryError.self) {
                try boxes.child(.photos, of: 1).transfer(
                    [photo.id], to: others.child(.photos, of: 1))
            }
            #expect(error?.code == .invalidLocation)
            #expect(error?.message.contains("not UTF-8") == true)
            #expect(try boxes.child(.photos, of: 1).loaded().map(\.id) == [photo.id])
        }
    }
#endif
