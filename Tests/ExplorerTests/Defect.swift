import FileSystem
import StoreModel
import TestSupport

/// A library that leaves out every sync or lock of one kind.
struct Defect: Hashable, Sendable, CustomStringConvertible {
    /// The call and what it is about: `sync intent`.
    let description: String

    /// Whether the library leaves out the call with this line in the log.
    func skips(_ line: String) -> Bool { Self(line) == self }

    /// The kind of the call with this line; nil if it is neither a sync nor takes a lock.
    init?(_ line: String) {
        let words = line.split(separator: " ").map(String.init)
        guard let path = words.last, words[0] == "sync" || words[0] == "lock" else { return nil }
        description = (words.dropLast() + [Self.role(of: path)]).joined(separator: " ")
    }

    private static func role(of path: String) -> String {
        let parts = path.split(separator: "/").map(String.init)
        guard let name = parts.last else { return "root" }
        for suffix in ["tmp", "journal", "json", "lock"] where name.hasSuffix(".\(suffix)") {
            return ".\(suffix)"
        }
        for (depth, part) in parts.reversed().enumerated()
        where [".staging", ".trash"].contains(part) {
            switch depth {
            case 0: return part
            case 1: return "\(part)/transaction"
            default: return name == "intent" ? name : "\(part)/transaction/file"
            }
        }
        return ["photos", "store"].contains(name) ? name : "folder"
    }
}

extension Explorer {
    /// A defect for each kind of call that operations make.
    func defects() throws -> Set<Defect> {
        var found: Set<Defect> = []
        for mode in CommitMode.explored {
            for operation in Operation.firsts {
                let disk = MemoryFileSystem(image(mode))
                let process = FirstProcess(operation, mode, on: disk)
                found.formUnion(try process.run { _ in .works }.log.compactMap { Defect($0) })
            }
        }
        return found
    }

    /// The first of `count` random schedules that breaks a promise with `defect` only.
    ///
    /// A sync matters to a power loss only, and a lock to a living process only.
    func firstCaught(_ defect: Defect, of count: Int, seed: UInt64) throws -> Schedule? {
        var random = SeededGenerator(seed: seed)
        let schedules =
            switch defect.description {
            case "lock .lock": try sample(count, [.pause], using: &random)
            // The hidden folder of a copy.
            case "lock folder": try sample(count, [.pause], [.copy], [.copy], using: &random)
            case let name where name.hasPrefix("lock"):
                try sample(
                    2 * count, [.pauseThenKill], Operation.transfers, Operation.movers,
                    using: &random)
            default: try sample(count, [.power, .cache], using: &random)
            }
        // A busy machine can make a schedule fail once, for example by a timeout.
        return schedules.first { fails($0, defect) && !fails($0, nil) && fails($0, defect) }
    }

    private func fails(_ schedule: Schedule, _ defect: Defect?) -> Bool {
        do {
            try play(schedule, defect)
            return false
        } catch {
            return true
        }
    }
}
