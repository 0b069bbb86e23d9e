import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

/// The syncs that make the names of the children's folders durable.
struct ChildFolderSyncTests {
    /// Another process may have died before it synced the names of the children's folders.
    @Test func namesOfAllChildrenAreSyncedAtOnce() throws {
        func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
            try Directory<Box>(at: URL(filePath: "/"), index: "boxes.json", on: fileSystem)
        }
        let disk = MemoryFileSystem()
        let made = try boxes(on: disk)
        try made.append(contentsOf: (0..<6).map { Box(id: $0, folderName: "\($0)") })
        for id in 0..<6 { try made.child(.notes, of: id).append(.salt) }
        let process = ProcessFileSystem(disk)
        let boxes = try boxes(on: process)
        let write = { (ids: Range<Int>) in
            try boxes.write { draft in
                for id in ids { try draft.write(.notes, of: id) { try $0.append(.milk) } }
            }
        }
        func syncsOfNames(_ write: () throws -> Void) rethrows -> Int {
            let count = process.log.count
            try write()
            return process.log[count...].count { $0 == "sync /" }
        }
        // They are synced with the index.
        let first = try syncsOfNames { try write(0..<3) }
        #expect(first == 0, "\(process.log.joined(separator: "\n"))")
        // A commit makes the index durable, but not all names.
        try boxes.append(Box(id: 6, folderName: "6"))
        let later = try syncsOfNames { try write(3..<6) }
        #expect(later == 1)
    }
}
