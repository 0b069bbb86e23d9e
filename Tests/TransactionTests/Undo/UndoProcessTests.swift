import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

@testable import Directory

#if os(Linux) || os(macOS)
    /// What other processes do with removed folders and files that wait for an undo.
    struct UndoProcessTests {
        let sandbox: Sandbox
        private let options = DirectoryOptions(undoLimit: 10)

        init() throws {
            sandbox = try Sandbox()
            _ = try sandbox.twoBoxes()
        }

        /// The boxes as another process opens them.
        private func others() throws -> Directory<OtherBox> {
            try Directory(at: sandbox.url, index: "boxes.json")
        }

        /// Removes a box, so that it waits in the trash, and returns the path of what holds it.
        private func removeBox(of boxes: Directory<Box>) throws -> String {
            try boxes.remove(id: 1)
            boxes.core.background.wait()
            let names = try FileManager.default.contentsOfDirectory(
                atPath: sandbox.url(".trash").path)
            #expect(names.count == 1)
            return ".trash/\(try #require(names.first))"
        }

        /// Copies what waits, as if another process had left it, whose name `change` makes of that of
        /// this process.
        private func leave(
            _ kept: String, changing change: (_ system: String) -> String
        ) throws -> String {
            let copy = ".trash/boxes~\(RandomName.digits())"
            try FileManager.default.copyItem(at: sandbox.url(kept), to: sandbox.url(copy))
            let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.url(copy).path)
            let owner = try #require(files.first { $0.hasPrefix(".owner.") })
            let words = owner.dropFirst().split(separator: ".")
            #expect(words[words.count - 2] == "\(ProcessInfo.processInfo.processIdentifier)")
            let system = words.dropLast(2).joined(separator: ".")
            try sandbox.move("\(copy)/\(owner)", to: "\(copy)/.\(change(system))")
            return copy
        }

        private func start(of process: Int32) -> String {
            let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 19 ? String(fields[19]) : "1"
        }

        @Test func otherProcessesLeaveWhatALivingOneKeeps() throws {
            let boxes = try sandbox.boxes(options: options)
            let kept = try removeBox(of: boxes)
            let copy = try leave(kept) { "\($0).1.\(start(of: 1))" }
            let others = try others()
            #expect(try others.verify().isEmpty)
            #expect(try others.repair().isEmpty)
            try others.append(OtherBox(id: 3, folderName: "Three"))
            try others.remove(id: 2)
            try others.close()
            #expect(sandbox.exists(kept) && sandbox.exists(copy))
            try sandbox.setAge(25 * 60 * 60, of: copy)
            #expect(try self.others().verify().isEmpty)
            #expect(sandbox.exists(copy))
            try boxes.undo()
            #expect(try boxes.notes(of: 1) == [.eggs])
            #expect(boxes.items.map(\.id) == [1, 3])
        }

        @Test func loadOfAnotherProcessTakesNoLockWhileThingsWait() throws {
            let boxes = try sandbox.boxes(options: options)
            var looks: [Int] = []
            for _ in 0..<2 {
                _ = try boxes.remove(id: boxes.items[0].id)
                boxes.core.background.wait()
                let process = ProcessFileSystem(LocalFileSystem())
                let others = try Directory<OtherBox>(
                    at: sandbox.url, index: "boxes.json", on: process)
                try others.load()
                #expect(!process.log.contains { $0.hasPrefix("lock") })
                looks.append(
                    process.log.count { $0.hasPrefix("open ") && $0.contains(".trash/") })
            }
            // The process does not look at more folders if more waits.
            #expect(looks[1] <= looks[0])
        }

        @Test func whatADeadProcessKeptIsRemovedAtOnce() throws {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exit 0"]
            try process.run()
            process.waitUntilExit()
            let boxes = try sandbox.boxes(options: options)
            let kept = try removeBox(of: boxes)
            let copy = try leave(kept) { "\($0).\(process.processIdentifier).1" }
            let others = try others()
            try others.load()
            others.core.background.wait()
            #expect(!sandbox.exists(copy) && sandbox.exists(kept))
            try boxes.undo()
            #expect(try boxes.notes(of: 1) == [.eggs])
        }

        @Test func whatAnUnknownProcessKeptIsAFindingWithItsSizeForADay() throws {
            let boxes = try sandbox.boxes(options: options)
            let kept = try removeBox(of: boxes)
            let copy = try leave(kept) { $0.replacing("-", with: "") + ".1.1" }
            let others = try others()
            let findings = try others.verify()
            let size = try sandbox.contents(copy).reduce(0) { $0 + $1.count }
            #expect(findings.map(\.kind) == [.leftoverTrash])
            #expect(findings.first?.path.contains(copy) == true)
            #expect(size > 0 && findings.first?.message.contains(" \(size) bytes") == true)
            #expect(try others.repair().isEmpty)
            #expect(sandbox.exists(copy))
            try sandbox.setAge(25 * 60 * 60, of: copy)
            #expect(try others.verify().isEmpty)
            others.core.background.wait()
            #expect(!sandbox.exists(copy))
        }

        /// A process whose state cannot be seen may live for days, and then undo.
        @Test func whatOthersTookForLeftoversDoesNotComeBackHalfDeleted() throws {
            let boxes = try sandbox.boxes(options: options)
            let kept = try removeBox(of: boxes)
            let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.url(kept).path)
            let owner = try #require(files.first { $0.hasPrefix(".owner.") })
            // The other process was stopped after it had begun to remove them.
            try sandbox.remove("\(kept)/\(owner)")
            expectError(.undoConflict) { try boxes.undo() }
            #expect(!sandbox.exists("One"))
            #expect(boxes.items.map(\.id) == [2])
        }

        @Test func twoCollectionsOfOneIndexKeepApartWhatTheyRemove() throws {
            let boxes = try sandbox.boxes(options: options)
            let others = try Directory<OtherBox>(
                at: sandbox.url, index: "boxes.json", options: options)
            try boxes.remove(id: 1)
            try others.remove(id: 2)
            try boxes.undo()
            try others.undo()
            // The other one removed the last box, which had no neighbour.
            #expect(try boxes.loaded().map(\.id) == [2, 1])
            #expect(try boxes.notes(of: 1) == [.eggs] && boxes.notes(of: 2) == [.milk])
            try others.remove(id: 2)
            try boxes.close()
            try others.undo()
            #expect(try others.notes(of: 2) == [.milk])
        }
    }
#endif
