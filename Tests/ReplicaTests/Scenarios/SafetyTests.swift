import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Removals of very much, other identities, and what strangers put into the shared folder.
@Suite struct SafetyTests {
    private func code(_ body: () throws -> Void) -> ReplicaError.Code? {
        do {
            try body()
            return nil
        } catch let error as ReplicaError {
            return error.code
        } catch {
            Issue.record(error)
            return nil
        }
    }

    @Test func aRemovalOfVeryMuchWaitsForAPerson() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(contentsOf: (0..<30).map { Project("P\($0)") })
        try settle(devices, carrier)
        try a.projects.removeAll { $0.title != "P7" }
        #expect(try a.sync().held == 29)
        guard case .held(let held) = a.replica.status else {
            Issue.record("\(a.replica.status)")
            return
        }
        #expect(held.count == 29)
        try carrier.exchange(devices)
        try b.sync()
        #expect(b.projects.count == 30)
        try a.replica.release(held)
        try settle(devices, carrier)
        #expect(b.projects.items.map(\.title) == ["P7"])
    }

    @Test func anIndexThatWasRemovedIsNoRemovalOfItems() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(Project("Apollo"))
        try settle(devices, carrier)
        let store = try carrier.disk.openFolder(at: "/a/store")
        for name in try carrier.disk.list(store) where name.string.contains("projects.j") {
            try carrier.disk.removeFile(name, in: store)
        }
        for name: FileName in [".projects.journal", ".projects.lock"] {
            _ = try carrier.disk.unlessMissing { try carrier.disk.removeFile(name, in: store) }
        }
        try devices[0].restart()
        #expect(try devices[0].sync().held > 0)
    }

    @Test(arguments: [false, true])
    func anIndexInAContainerThatWasRemovedIsNoRemovalOfItems(_ isEmptied: Bool) throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let apollo = Project("Apollo")
        try devices[0].projects.append(apollo)
        try devices[0].notes(apollo.id).append(contentsOf: [Note(text: "1"), Note(text: "2")])
        try settle(devices, carrier)
        let folder = try carrier.disk.openFolder(at: "/a/store/Apollo")
        let index: FileName = "notes.json"
        let bytes = try carrier.disk.readAll(index, in: folder) ?? []
        if isEmptied {
            let file = try carrier.disk.openFile(index, in: folder, for: .update)
            try carrier.disk.truncate(file, to: 0)
        } else {
            try carrier.disk.removeFile(index, in: folder)
        }
        try devices[0].restart()
        #expect(try devices[0].sync().held > 0)
        // It is found again.
        let file = try carrier.disk.openFile(
            index, in: folder, for: .openOrCreate(mode: 0o600))
        try carrier.disk.write(bytes, to: file, at: 0)
        try devices[0].restart()
        try settle(devices, carrier)
        for device in devices { #expect(try device.notes(apollo.id).loaded().count == 2) }
    }

    @Test func aCopiedStoreTakesAnotherIdentity() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("Apollo"))
        try settle(devices, carrier)
        try carrier.copyFolder("/a/store", to: "/c/store")
        try carrier.copyFolder("/a/shared", to: "/c/shared")
        let c = try TestDevice(
            "c", on: a.disk, environment: TestClock().environment(seed: 77))
        try c.projects.append(Project("of c"))
        try a.projects.append(Project("of a"))
        try settle([a, b, c], carrier)
        #expect(Set(a.replica.devices.map(\.id)).count == 3)
        #expect(Set(b.projects.items.map(\.title)) == ["Apollo", "of a", "of c"])
        #expect(Array(c.projects.items) == Array(a.projects.items))
    }

    @Test func aRemovedDeviceThatComesBackJoinsAnew() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let (apollo, gemini) = (Project("Apollo"), Project("Gemini"))
        try a.projects.append(contentsOf: [apollo, gemini])
        try settle(devices, carrier)
        let other = try #require(a.replica.devices.first { !$0.isThis })
        try a.replica.remove(other.id)
        try a.projects.remove(id: gemini.id)
        try b.projects.append(Project("of b"))
        try settle(devices, carrier)
        #expect(Set(a.projects.items.map(\.title)) == ["Apollo", "of b"])
        #expect(Array(b.projects.items) == Array(a.projects.items))
        #expect(a.replica.devices.count == 2 && !a.replica.devices.contains { $0.id == other.id })
    }

    @Test func whoLeavesKeepsTheCollection() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("Apollo"))
        try settle(devices, carrier)
        try a.replica.leave()
        #expect(a.projects.count == 1)
        #expect(code { try a.sync() } == .left)
        try carrier.exchange(devices)
        try b.sync()
        #expect(b.replica.devices.map(\.isThis) == [true])
    }

    @Test func aSharedFolderThatIsGoneIsNotMadeAnew() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(Project("Apollo"))
        try settle(devices, carrier)
        try carrier.disk.removeTree("shared", in: carrier.disk.openFolder(at: "/a"))
        #expect(code { try devices[0].sync() } == .folderMissing)
        try carrier.disk.makeFolder(
            "shared", in: carrier.disk.openFolder(at: "/a"), mode: 0o755)
        #expect(code { try devices[0].sync() } == .folderMissing)
    }

    @Test func filesThatSomebodyRemovedComeBack() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let apollo = Project("Apollo")
        try a.projects.append(apollo)
        try a.photos(apollo.id).insert(Data([5]), name: "moon.jpg")
        try a.sync()
        let shared = try carrier.disk.openFolder(at: "/a/shared")
        try carrier.disk.removeTree("replicas", in: shared)
        try carrier.disk.removeTree("assets", in: shared)
        try a.restart()
        try settle([a, b], carrier)
        #expect(try b.photos(apollo.id).loaded().map(\.name) == ["moon.jpg"])
    }

    @Test func hostileFilesAreLeftAloneAndNamed() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("Apollo"))
        try a.sync()
        try carrier.carry(from: a, to: b)
        let evil = String(repeating: "e", count: 32)
        let header =
            "{\"format\":1,\"device\":\"\(evil)\",\"seq\":1,\"at\":5,\"seen\":{},\"entries\":1}\n"
        let deep = String(repeating: "[", count: 5000)
        let lines = [
            "", "\n", "[]\n", "{}\n", "nonsense", header, header + "{}\n",
            "{\"format\":99}\n", header + "{\"in\":\"projects\",\"id\":\"\",\"set\":{}}\n",
            header + "{\"in\":\"projects\",\"id\":\"x\",\"set\":\(deep)}\n",
            header + "{\"in\":\"projects\",\"id\":\"x\",\"of\":\"y\",\"set\":{}}\n",
            header.replacing("\"seq\":1", with: "\"seq\":9223372036854775807") + "{}\n",
            header.replacing("\"at\":5", with: "\"at\":-1") + "{}\n",
            header.replacing("\"entries\":1", with: "\"entries\":4000000"),
        ]
        for (number, line) in lines.enumerated() {
            try write(Array(line.utf8), number + 1, evil, b, carrier.disk)
        }
        // Valid, but with names that lead elsewhere, and a line that is no project.
        let id = UUID().uuidString
        let bad =
            "{\"in\":\"projects\",\"id\":\"\(id)\",\"of\":null,\"at\":\"V\",\"set\":{\"id\":\"\(id)\","
            + "\"title\":\"x\",\"folderName\":\"../../x\"}}\n"
        try write(Array((header + bad).utf8), 1, evil, b, carrier.disk)
        try b.sync()
        #expect(b.projects.items.map(\.title) == ["Apollo"])
        #expect(b.replica.unusedFiles.count >= 8)
        #expect(b.replica.unreadableItems.map(\.id) == [id])
        #expect(try b.projects.verify().isEmpty)
    }

    private func write(
        _ bytes: [UInt8], _ number: Int, _ device: String, _ to: TestDevice,
        _ disk: any FileSystem
    ) throws {
        let folder = try disk.openOrMakeFolder(
            at: "/\(to.name)/shared/replicas/\(device)", mode: 0o755)
        let digits = String(number)
        let zeros = String(repeating: "0", count: 12 - digits.count)
        let hash = SHA256.hash(bytes).description.prefix(32)
        let name = try FileName(validating: "\(zeros)\(digits)-d-\(hash).jsonl")
        let file = try disk.openFile(name, in: folder, for: .openOrCreate(mode: 0o644))
        try disk.write(bytes, to: file, at: 0)
    }

    @Test func twoProcessesOfOneDeviceAreOneDevice() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        let second = try TestDevice(
            "a", on: a.disk, environment: TestClock().environment(seed: 5))
        for number in 0..<4 {
            try a.projects.append(Project("one \(number)"))
            try a.sync()
            try second.projects.append(Project("two \(number)"))
            try second.sync()
        }
        try settle([a, second, b], carrier)
        #expect(b.projects.count == 8)
        #expect(b.replica.devices.count == 2)
    }

    @Test func itemsWithIDsThatAreNotUniqueEverywhereAreRefused() throws {
        struct Row: Codable, Identifiable, Sendable { var id: Int }
        let disk = MemoryFileSystem()
        let rows = try Directory<Row>(
            at: URL(filePath: "/rows", directoryHint: .isDirectory), index: "rows.json", on: disk)
        #expect(
            code {
                _ = try Replica(
                    root: rows, in: URL(filePath: "/s", directoryHint: .isDirectory), on: disk,
                    children: [], options: .init(), environment: TestClock().environment(seed: 1))
            } == .unsupportedID)
    }

    @Test(arguments: ["/store/shared", "/store", "/", "/store/Apollo/shared"])
    func aSharedFolderInTheStoreOrAroundItIsRefused(_ path: String) throws {
        let disk = MemoryFileSystem()
        let projects = try Directory<Project>(
            at: URL(filePath: "/store", directoryHint: .isDirectory), index: "projects.json",
            on: disk)
        try projects.append(Project("Apollo"))
        let opened = Result {
            try Replica(
                root: projects, in: URL(filePath: path, directoryHint: .isDirectory), on: disk,
                children: [], options: .init(), environment: TestClock().environment(seed: 1))
        }
        #expect(code { _ = try opened.get() } == .invalidLocation)
        #expect(try disk.list(disk.openFolder(at: "/store")).contains("shared") == false)
    }

    @Test func containersWhoseFolderNamesNobodyCanChangeAreRefused() throws {
        struct Box: Container {
            var id = UUID()
            var title: String
            var folderName: String { "Box_\(title)" }
        }
        let disk = MemoryFileSystem()
        let boxes = try Directory<Box>(
            at: URL(filePath: "/boxes", directoryHint: .isDirectory), index: "boxes.json", on: disk)
        try boxes.append(Box(title: "x"))
        #expect(
            code {
                _ = try Replica(
                    root: boxes, in: URL(filePath: "/s", directoryHint: .isDirectory), on: disk,
                    children: [], options: .init(), environment: TestClock().environment(seed: 1))
            } == .fixedFolderName)
    }
}
