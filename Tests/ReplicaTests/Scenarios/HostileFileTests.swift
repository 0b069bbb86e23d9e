import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport
import Testing

/// Files in the shared folder that somebody made to do harm: they are skipped or do what a device may do, and everything
/// else goes on.
@Suite struct HostileFileTests {
    /// The files of devices that have items of all kinds, conflicts, removed items, states and requests.
    private static func genuineFiles() throws -> [String: [UInt8]] {
        var options = ReplicaOptions()
        options.fileLimit = 6
        let (devices, carrier) = try makeDevices("a", "b", options: options)
        let (a, b) = (devices[0], devices[1])
        let (apollo, gemini) = (Project("Apollo"), Project("Gemini"))
        try a.projects.append(contentsOf: [apollo, gemini])
        let album = Album(folderName: "Moon")
        try a.albums(apollo.id).append(album)
        try a.photos(apollo.id).insert(Data([1]), name: "moon.jpg")
        try a.tags(apollo.id).append(contentsOf: [
            Tag(id: "x/y", color: "red"), Tag(id: "z", color: "red"),
        ])
        try a.notes(gemini.id).append(contentsOf: (0..<4).map { Note(text: "\($0)") })
        try settle(devices, carrier)
        for (device, title) in [(a, "Apollo 11"), (b, "Eagle")] {
            try device.projects.update(id: apollo.id) { $0.title = title }
            try device.notes(gemini.id).removeAll { $0.text == (device === a ? "1" : "2") }
        }
        try settle(devices, carrier)
        try a.projects.remove(id: gemini.id)
        try b.tags(apollo.id).append(Tag(id: "q", color: "red"))
        try a.sync()
        // One of the two has a state.
        let replicas = try carrier.disk.openFolder(at: "/b/shared/replicas")
        try carrier.disk.removeTree(FileName(validating: b.id.description), in: replicas)
        try b.sync()
        var files: [String: [UInt8]] = [:]
        for path in try carrier.files(from: "a") + carrier.files(from: "b") {
            let name = path.map(\.string).joined(separator: "/")
            for device in ["a", "b"] where files[name] == nil {
                let folder = path.dropLast().map(\.string).joined(separator: "/")
                let opened = try carrier.disk.unlessMissing {
                    try carrier.disk.openFolder(at: "/\(device)/shared/\(folder)")
                }
                if let opened {
                    files[name] = try carrier.disk.readAll(path[path.count - 1], in: opened)
                }
            }
        }
        return files
    }

    @Test func noDamageToAFileStopsADevice() throws {
        let genuine = try Self.genuineFiles()
        var hostile = HostileFiles(random: SeededGenerator(named: "hostile files"))
        let targets = genuine.keys.filter { $0.hasPrefix("replicas/") }.sorted()
        #expect(targets.contains { $0.contains("-s-") } && targets.contains { $0.contains("-d-") })
        for _ in 0..<TestSize.choose(sample: 8, gate: 30, full: 200_000) {
            let target = try #require(targets.randomElement(using: &hostile.random))
            let bytes = hostile.damage(genuine[target] ?? [])
            var files = genuine
            // The others of its device can be there or not.
            if Bool.random(using: &hostile.random) { files[target] = nil }
            let name = try #require(FileName(String(target.split(separator: "/")[2])))
            let old = try #require(SegmentName(name))
            let new = SegmentName(number: old.number, content: old.content, of: bytes).text
            files["\(target.dropLast(name.bytes.count))\(new)"] = bytes
            do {
                try check(files)
            } catch {
                Issue.record(
                    "\(error), \(hostile.random): \(String(decoding: bytes, as: UTF8.self))")
            }
        }
    }

    /// Checks that a device with an item of its own keeps it and its identity beside these files.
    private func check(_ files: [String: [UInt8]]) throws {
        let disk = MemoryFileSystem()
        let device = try TestDevice("v", on: disk)
        try device.projects.append(Project("Own"))
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let parts = path.split(separator: "/").map(String.init)
            let folder = (["v", "shared"] + parts.dropLast()).joined(separator: "/")
            let handle = try disk.openOrMakeFolder(at: "/\(folder)", mode: 0o755)
            let file = try disk.openFile(
                FileName(validating: parts[parts.count - 1]), in: handle, for: .create(mode: 0o644))
            try disk.write(bytes, to: file, at: 0)
        }
        try device.sync()
        let id = try device.id
        for _ in 0..<2 {
            try device.restart()
            try device.sync()
            #expect(try device.id == id)
            #expect(device.titles.contains("Own"))
        }
        // A process reads what it could not use only once.
        let calls = device.process.log.count
        try device.sync()
        let opened = device.process.log.dropFirst(calls).filter {
            $0.hasPrefix("open ") && $0.hasSuffix(".jsonl")
        }
        #expect(opened.isEmpty)
        #expect(try device.projects.verify().isEmpty)
    }

    /// The state that a device writes names all devices, and must be readable.
    @Test func aFileThatNamesTooManyDevicesIsRefused() throws {
        let (devices, carrier) = try makeDevices("a", "b")
        let (a, b) = (devices[0], devices[1])
        try a.projects.append(Project("Apollo"))
        try settle(devices, carrier)
        for (number, count) in [(1, 4000), (2, 200)] {
            var header = SegmentHeader(
                device: DeviceID(high: 7, low: UInt64(number)), number: 1, time: 5, seen: .init())
            header.removedDevices = (0..<count).map {
                DeviceID(high: UInt64(number), low: UInt64($0))
            }
            try carrier.put(Segment(header: header, entries: []), into: "a")
        }
        try a.sync()
        #expect(a.replica.unusedFiles.map(\.reason) == ["it has too many devices"])
        let id = try a.id
        try a.restart()
        try a.projects.append(Project("Gemini"))
        try settle(devices, carrier)
        #expect(try a.id == id && b.titles == ["Apollo", "Gemini"])
    }
}
