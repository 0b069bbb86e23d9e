import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Removed items, which are remembered until all devices have seen that they were removed.
@Suite struct ForgettingTests {
    private let clock = TestClock()
    private let carrier: Carrier
    private let a: TestDevice
    private let b: TestDevice
    private let apollo = Project("Apollo")

    init() throws { try self.init(rules: .init()) }

    private init(rules: MergeRules) throws {
        let disk = MemoryFileSystem()
        var options = ReplicaOptions(memory: .zero)
        (options.fileLimit, options.changesLimit) = (2, 1)
        func device(_ name: String, _ clock: TestClock, seed: UInt64) throws -> TestDevice {
            var environment = clock.environment(seed: seed)
            environment.rules = rules
            return try TestDevice(name, on: disk, options: options, environment: environment)
        }
        (a, b) = try (device("a", clock, seed: 1), device("b", clock, seed: 2))
        carrier = Carrier(disk: disk)
        try a.projects.append(apollo)
        try a.notes(apollo.id).append(Note(text: "old"))
        try settle([a, b], carrier)
        clock.advance(1000)
    }

    /// The device that changed it never comes back.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func aChangeKeepsAnItemWhoseRemovalItsDeviceNeverSees(_ isInside: Bool) throws {
        try changeWhatIsRemoved(isInside)
        #expect(a.projects.items[id: apollo.id]?.title == "Apollo")
        #expect(a.projects.items[id: apollo.id]?.note == (isInside ? nil : "new"))
        #expect(try a.notes(apollo.id).loaded().map(\.text) == (isInside ? ["new"] : []))
    }

    /// So the rule is needed by which an item is remembered until all devices have seen its removal.
    @Test(arguments: Sweep.cases([false, true], sample: 1))
    func theChangeIsLostIfTheItemIsForgottenBefore(_ isInside: Bool) throws {
        var rules = MergeRules()
        rules.isAcknowledged = { _, _ in true }
        let other = try Self(rules: rules)
        try other.changeWhatIsRemoved(isInside)
        #expect(other.a.projects.items[id: other.apollo.id] == nil)
    }

    /// Lets `b` change a project, or something in it, and `a` remove and forget it before that arrives.
    private func changeWhatIsRemoved(_ isInside: Bool) throws {
        if isInside {
            try b.notes(apollo.id).append(Note(text: "new"))
        } else {
            try b.projects.update(id: apollo.id) { $0.note = "new" }
        }
        try a.projects.remove(id: apollo.id)
        for number in 0..<5 {
            try a.projects.append(contentsOf: (0..<20).map { Project("P\(number) \($0)") })
            try a.sync()
            clock.advance(1000)
        }
        try b.sync()
        try carrier.carry(from: b, to: a)
        try a.sync()
    }

    /// Removes the project in `a`, and changes so much after `b` has seen that, that `a` forgets it.
    private func removeUntilForgotten() throws {
        try a.projects.remove(id: apollo.id)
        try settle([a, b], carrier)
        clock.advance(1000)
        for number in 0..<5 {
            try a.projects.append(contentsOf: (0..<20).map { Project("P\(number) \($0)") })
            try a.sync()
        }
    }

    @Test func aRemovalThatAllHaveSeenIsForgotten() throws {
        try removeUntilForgotten()
        let text = try carrier.files(from: "a").filter { $0.first == "replicas" }.map { file in
            let path = file.dropLast().map(\.string).joined(separator: "/")
            let folder = try carrier.disk.openFolder(at: "/a/shared/\(path)")
            let bytes = try file.last.flatMap { try carrier.disk.readAll($0, in: folder) }
            guard file[1].string == "\(try a.id)" else { return "" }
            return String(decoding: bytes ?? [], as: UTF8.self)
        }.joined()
        #expect(text.contains("P4 19") && !text.contains("\(apollo.id)"))
    }

    /// In a copy of the store that others do not know, an album is changed in a project that all others have forgotten.
    @Test func aChangeInAForgottenContainerBringsThatBack() throws {
        let night = Album(folderName: "Night")
        try a.albums(apollo.id).append(night)
        try settle([a, b], carrier)
        try a.projects.close()
        try carrier.copyFolder("/a/store", to: "/c/store")
        try carrier.copyFolder("/a/shared", to: "/c/shared")
        try a.restart()
        try a.projects.load()
        try removeUntilForgotten()
        let c = try TestDevice("c", on: a.disk, environment: clock.environment(seed: 3))
        try c.projects.load()
        try c.albums(apollo.id).update(id: night.id) { $0.folderName = "Day" }
        try settle([a, b, c], carrier)
        for device in [a, b, c] {
            #expect(device.projects.items[id: apollo.id]?.title == "Apollo")
            #expect(try device.albums(apollo.id).loaded().map(\.folderName) == ["Day"])
        }
    }
}
