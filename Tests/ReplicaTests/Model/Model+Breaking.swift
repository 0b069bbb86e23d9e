import Directory
import FileSystem
import Foundation
import TestSupport

/// Collections in containers, and files, that cannot be read for a while.
extension Model {
    private static let mark = UInt8(ascii: "#")

    /// Changes things on a device, of which an index may be damaged.
    mutating func use(_ device: TestDevice) throws {
        if settings.damage > 0, Double.random(in: 0..<1, using: &random) < settings.damage {
            try breakOrRepair(device)
        }
        if settings.unreadableFiles > 0,
            Double.random(in: 0..<1, using: &random) < settings.unreadableFiles
        {
            let isUnreadable = !unreadableFiles.contains(device.name)
            unreadableFiles.set(isUnreadable, on: device.name)
            if isUnreadable { counts.breaks += 1 }
        }
        if settings.lostFiles > 0, Double.random(in: 0..<1, using: &random) < settings.lostFiles {
            try loseFile(on: device)
        }
        if settings.wrongNetworks > 0,
            Double.random(in: 0..<1, using: &random) < settings.wrongNetworks
        {
            try checkThatOthersAreRefused(by: device)
        }
        let isDamaged = try isDamaged(device)
        let before = settings.unreadableFiles > 0 ? try values(on: device) : []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            do { try edit(device) } catch is DirectoryError
                where isDamaged || settings.lostFiles > 0
            {}
        }
        if settings.unreadableFiles > 0 {
            removedValues.formUnion(before.subtracting(try values(on: device)))
        }
    }

    /// The values that a device shows, and that were made on it.
    private func values(on device: TestDevice) throws -> Set<String> {
        Set(try picture(of: device).values).filter { makers[valueName($0)] == device.name }
    }

    /// The name of a value in the text of a member, which can be that of a photo's file.
    func valueName(_ text: String) -> String {
        String(text.split { "\".".contains($0) }.first ?? "")
    }

    /// Damages the index of a random collection in a container of a device, or repairs all that are damaged there.
    private mutating func breakOrRepair(_ device: TestDevice) throws {
        if try repair(device) { return }
        // A device that has told nothing yet does not sync then.
        if newest[device.name] == nil { return }
        let indexes = try files(below: "/\(device.name)/store").keys.filter { path in
            path.split(separator: "/").count > 3 && !path.contains("/.") && path.hasSuffix(".json")
        }
        guard let path = indexes.sorted().randomElement(using: &random) else { return }
        try change(device, [path]) { [Self.mark] + $0 }
        counts.breaks += 1
    }

    /// Repairs all damaged indexes of a device, and returns whether there were any.
    @discardableResult
    mutating func repair(_ device: TestDevice) throws -> Bool {
        let damaged = try damagedIndexes(of: device)
        if damaged.isEmpty { return false }
        try change(device, damaged) { Array($0.dropFirst()) }
        return true
    }

    func isDamaged(_ device: TestDevice) throws -> Bool {
        try settings.damage > 0 && !damagedIndexes(of: device).isEmpty
    }

    /// The paths of the damaged indexes of a device, also of those in containers that have moved.
    private func damagedIndexes(of device: TestDevice) throws -> [String] {
        try files(below: "/\(device.name)/store").filter { path, bytes in
            path.hasSuffix(".json") && bytes.first == Self.mark
        }.map(\.key)
    }

    /// Changes files of a device while no process has them open.
    private mutating func change(
        _ device: TestDevice, _ paths: [String], _ change: ([UInt8]) -> [UInt8]
    ) throws {
        try device.projects.close()
        for path in paths {
            let parts = path.split(separator: "/").map(String.init)
            let path = "/" + parts.dropLast().joined(separator: "/")
            let name = try FileName(validating: parts.last ?? "")
            // Closing can remove what was on its way.
            guard let folder = try disk.unlessMissing({ try disk.openFolder(at: path) }),
                let bytes = try disk.readAll(name, in: folder)
            else { continue }
            let file = try disk.openFile(name, in: folder, for: .openOrCreate(mode: 0o644))
            try disk.truncate(file, to: 0)
            try disk.write(change(bytes), to: file, at: 0)
        }
        try restart(device)
    }
}
