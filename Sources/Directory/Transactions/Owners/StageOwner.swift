import FileSystem
import Foundation

/// The process that made a stage, began a transaction with parked folders, keeps removed files in the trash, or had a lock
/// last.
///
/// Recovery sees from it at once that the process has ended. A lock cannot show that, because no lock outlives a call.
enum StageOwner {
    /// The prefix of the names of owner files.
    private static let prefix = "owner."

    /// The scope in which process identifiers are unique: one start of one system, and one container; nil if it is not
    /// known.
    private static let system: String? = {
        #if canImport(Darwin)
            return "apple"
        #else
            let boot = try? String(
                contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            let namespace = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/ns/pid")
            guard let boot, let namespace else { return nil }
            return "linux.\(boot.filter { !$0.isWhitespace }).\(namespace)"
        #endif
    }()

    /// The name of the owner file in a stage of this process, which runs on `machine`.
    ///
    /// The name holds everything, so the file can never be half written.
    private static func fileName(on machine: String) throws -> FileName {
        try FileName(validating: text(machine))
    }

    /// The name of the owner file in the trash, where all names are hidden.
    static func hiddenFileName(on machine: String) throws -> FileName {
        try FileName(validating: ".\(text(machine))")
    }

    /// What tells this process, which runs on `machine`, from all others.
    static func text(_ machine: String) -> String {
        let process = ProcessInfo.processInfo.processIdentifier
        return "\(prefix)\(machine).\(system ?? "unknown").\(process)"
            + start(of: process)
    }

    /// A dot and the start of a process, in ticks since the start of the system; empty on systems other than Linux.
    ///
    /// It is the 22nd field of `/proc/<process>/stat`: proc_pid_stat(5). The name of the program, in
    /// parentheses, may have spaces.
    private static func start(of process: Int32) -> String {
        let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
        let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 19 ? ".\(fields[19])" : ""
    }

    /// Makes the owner file in a new stage of `collection`.
    ///
    /// It is not synced: after a power loss it says nothing about the process, and usually it is removed soon.
    static func makeFile(in stage: Handle, of collection: IndexFolder) throws {
        _ = try collection.makeFile(fileName(on: collection.options.machine), in: stage)
    }

    /// Whether `name` is that of an owner file in a stage.
    static func isOwner(_ name: FileName) -> Bool { name.string.hasPrefix(prefix) }

    /// Whether `name` is that of an owner file in the trash.
    static func isHiddenOwner(_ name: FileName) -> Bool { name.string.hasPrefix(".\(prefix)") }

    enum State {
        case thisProcess, living, dead
        /// It is not known whether the process lives.
        case unknown
        /// The process runs on another machine that shares the folder, so it is not known whether it lives.
        case otherMachine

        /// Whether the process counts as dead: it is dead, or its state is unknown and its folder has not changed for a
        /// day.
        func isOver(lastChange: Date) -> Bool {
            switch self {
            case .dead: true
            case .thisProcess, .living, .otherMachine: false
            case .unknown: -lastChange.timeIntervalSinceNow > 24 * 60 * 60
            }
        }
    }

    /// The state of the process that made the file `name`, for a process on `machine`.
    static func state(_ name: FileName, on machine: String) -> State {
        let text = name.string.dropFirst(name.isHidden ? 1 : 0)
        if text == self.text(machine) { return .thisProcess }
        let words = text.dropFirst(prefix.count).split(separator: ".", maxSplits: 1)
        guard words.count == 2 else { return .unknown }
        if Machine.isKnown(machine), Machine.isKnown(words[0]), words[0] != machine {
            return .otherMachine
        }
        guard let system, words[1].hasPrefix("\(system).") else { return .unknown }
        let rest = words[1].dropFirst(system.count + 1).split(separator: ".")
        guard (1...2).contains(rest.count), let process = Int32(rest[0]), process > 0 else {
            return .unknown
        }
        guard kill(process, 0) == 0 || errno == EPERM else {
            return errno == ESRCH ? .dead : .unknown
        }
        // A later process can have the same number.
        let start = start(of: process)
        guard rest.count == 2, !start.isEmpty else { return .unknown }
        return start == ".\(rest[1])" ? .living : .dead
    }
}

extension IndexFolder {
    /// Makes the folder of the stage `name`, with the file that names its owner.
    func makeStage(_ name: FileName) throws -> Handle {
        try openOrMake(name, in: IndexNames.staging) { try StageOwner.makeFile(in: $0, of: self) }
    }

    /// The state of the process that made the open `stage`.
    func owner(of stage: Handle) throws -> StageOwner.State {
        try fileSystem.list(stage).first(where: StageOwner.isOwner).map(state(ofOwner:))
            ?? .unknown
    }

    /// The state of the process that made the file `name`, which names the owner of a folder.
    func state(ofOwner name: FileName) -> StageOwner.State {
        StageOwner.state(name, on: options.machine)
    }

    /// Removes the folder `name` in `staging`, its owner file last: if the process is killed meanwhile, the rest is
    /// still the stage of a dead process.
    func removeStage(_ name: FileName, in staging: Handle) throws {
        // Most are empty.
        if (try? fileSystem.removeFolder(name, in: staging)) != nil { return }
        if try fileSystem.status(of: name, in: staging)?.kind == .folder,
            let stage = try fileSystem.openFolderIfPresent(name, in: staging)
        {
            let files = try fileSystem.unlessMissing { try fileSystem.list(stage) } ?? []
            for file in files where !StageOwner.isOwner(file) {
                try fileSystem.removeTree(file, in: stage)
            }
        }
        try fileSystem.removeTree(name, in: staging)
    }
}
