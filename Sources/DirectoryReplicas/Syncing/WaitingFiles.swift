import FileSystem

/// The files with changes of which a segment waits for others.
///
/// Only what they wait for is in memory; they are read again when that has arrived.
struct WaitingFiles: Sendable {
    private struct Waiting: Sendable {
        let file: FoundFile
        /// When the file got its bytes on this device.
        let arrived: FileTime
        /// The segments that it needs.
        var needs: [Dot]
    }

    /// The files, each under the last of its needs.
    private var files: [DeviceID: [Int: [Waiting]]] = [:]
    private var names: Set<SegmentName> = []
    /// How many needs are in memory.
    private var needCount = 0

    var isEmpty: Bool { names.isEmpty }

    func contains(_ file: FoundFile) -> Bool { names.contains(file.name) }

    /// Adds a file; false if so much waits that it has to be read again at the next sync.
    mutating func add(_ file: FoundFile, arrived: FileTime, needs: [Dot]) -> Bool {
        guard needCount + needs.count <= Limits.needs else { return false }
        names.insert(file.name)
        needCount += needs.count
        put(Waiting(file: file, arrived: arrived, needs: needs))
        return true
    }

    private mutating func put(_ waiting: Waiting) {
        guard let need = waiting.needs.last else { return }
        files[need.device, default: [:]][need.number, default: []].append(waiting)
    }

    /// Takes out the files that wait for nothing any longer, now that `dot` was applied and `seen` is known.
    mutating func wake(after dot: Dot, _ seen: VersionVector) -> [FoundFile] {
        let woken = files[dot.device]?.removeValue(forKey: dot.number) ?? []
        return readable(woken, seen)
    }

    /// The same, now that much more may be known.
    mutating func wakeAll(_ seen: VersionVector) -> [FoundFile] {
        var woken: [Waiting] = []
        for (device, numbers) in files {
            for number in numbers.keys where seen[device] >= number {
                woken += files[device]?.removeValue(forKey: number) ?? []
            }
        }
        return readable(woken, seen)
    }

    /// The files that need nothing else; the others are put under another need.
    private mutating func readable(_ woken: [Waiting], _ seen: VersionVector) -> [FoundFile] {
        woken.compactMap { waiting in
            var waiting = waiting
            needCount -= waiting.needs.count
            waiting.needs.removeAll(where: seen.covers)
            needCount += waiting.needs.count
            guard waiting.needs.isEmpty else {
                put(waiting)
                return nil
            }
            names.remove(waiting.file.name)
            return waiting.file
        }
    }

    /// Forgets the files that are gone.
    mutating func keep(_ present: [FoundFile]) {
        let gone = names.subtracting(present.map(\.name))
        if gone.isEmpty { return }
        let all = files.values.flatMap { $0.values.joined() }
        self = WaitingFiles()
        for waiting in all where !gone.contains(waiting.file.name) {
            _ = add(waiting.file, arrived: waiting.arrived, needs: waiting.needs)
        }
    }

    /// Calls `body` with each segment that a file waits for, and the time when the file got its bytes on this device.
    func forEachNeed(_ body: (Dot, FileTime) -> Void) {
        for waiting in files.values.joined().flatMap(\.value) {
            for need in waiting.needs { body(need, waiting.arrived) }
        }
    }
}
