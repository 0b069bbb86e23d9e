import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// A transfer of a container into a collection of another one, which another process moves or removes meanwhile.
@Suite(.timeLimit(.minutes(30))) struct TransferBelowTests {
    @Test(arguments: [true, false]) func aTargetThatOthersMoveIsFollowed(_ isRemoved: Bool) throws {
        var (call, hasEnded) = (0, false)
        var sweep = Sweep(for: isRemoved)
        for number in sweep.numbers(below: 400, step: 3) {
            call = number
            let disk = MemoryFileSystem()
            let start = try boxes(on: ProcessFileSystem(disk))
            try start.append(contentsOf: [
                Box(id: 1, folderName: "One"), Box(id: 2, folderName: "Two"),
            ])
            try start.child(.parts, of: 1).append(Box(id: 5, folderName: "Five"))
            let other = Interruption()
            other.set {
                do {
                    let boxes = try boxes(on: ProcessFileSystem(disk))
                    if isRemoved {
                        try boxes.remove(id: 1)
                    } else {
                        try boxes.update(id: 1) { $0.folderName = "Other" }
                    }
                } catch let error as DirectoryError where error.code == .locked {
                    // The transfer holds the container in place.
                }
            }
            let process = ProcessFileSystem(disk) { [call] number in
                if number == call { onNewThread { other.run() } }
                return .works
            }
            let source = try boxes(on: process)
            var code: DirectoryError.Code?
            do {
                try source.transfer([2], to: source.child(.parts, of: 1))
            } catch let error as DirectoryError {
                code = error.code
            }
            let found = try boxes(on: ProcessFileSystem(disk))
            let comment: Comment = "call \(call): \(code?.rawValue ?? "done")"
            #expect([nil, .containerRemoved, .itemNotFound].contains(code), comment)
            #expect(isRemoved || code == nil, comment)
            #expect(found.items.contains { $0.id == 2 } == (code != nil), comment)
            #expect(try found.verify().isEmpty, comment)
            hasEnded = !other.hasRun
            if hasEnded { break }
        }
        #expect(call > 30 && hasEnded || TestSize.current == .sample)
    }

    private func boxes(on fileSystem: any FileSystem) throws -> Directory<Box> {
        let boxes = try Directory<Box>(
            at: URL(filePath: "/store"), index: "boxes.json",
            options: .init(lockTimeout: .milliseconds(20)), on: fileSystem)
        try boxes.load()
        return boxes
    }
}
