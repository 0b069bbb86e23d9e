import FileSystem
import Foundation

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The process that made a stage, so that recovery can see at once that it has ended.
///
/// No lock can tell this, because no lock outlives a call.
enum StageOwner {
    /// The name of the file in the stage.
    static let fileName: FileName = "owner"
    /// The name of the file until it is complete.
    static let temporaryName: FileName = "owner.new"

    /// Where process identifiers mean the same: what runs since one start of one system, in one
    /// container.
    private static let system: String? = {
        #if canImport(Darwin)
            return "apple"
        #else
            let boot = try? String(
                contentsOfFile: "/proc/sys/kernel/random/boot_id", encoding: .utf8)
            let namespace = try? FileManager.default.destinationOfSymbolicLink(
                atPath: "/proc/self/ns/pid")
            guard let boot, let namespace else { return nil }
            return "linux \(boot.filter { !$0.isWhitespace }) \(namespace)"
        #endif
    }()

    /// The content of the file in a stage of this process.
    static var line: String {
        "\(system ?? "unknown") \(ProcessInfo.processInfo.processIdentifier)\n"
    }

    /// Writes the file into a new stage of `collection`.
    ///
    /// It is complete when it has its name, also if the process is killed. It is not synced: after a
    /// power loss it would say nothing, and usually it is removed soon.
    static func write(in stage: Handle, of collection: IndexFolder) throws {
        let fileSystem = collection.fileSystem
        let file = try fileSystem.openFile(
            temporaryName, in: stage, for: .create(mode: collection.options.filePermissions))
        try fileSystem.write(Array(line.utf8), to: file, at: 0)
        try fileSystem.rename(temporaryName, in: stage, to: fileName, in: stage, replacing: false)
    }

    enum State {
        case thisProcess, living, dead
        /// It cannot be seen from here whether the process lives.
        case unknown
    }

    /// The state of the process that wrote `line`.
    static func state(_ line: [UInt8]) -> State {
        let text = String(decoding: line, as: UTF8.self)
        if text == Self.line { return .thisProcess }
        guard let system, text.hasPrefix("\(system) "), text.hasSuffix("\n"),
            let process = Int32(text.dropFirst(system.count + 1).dropLast()), process > 0
        else { return .unknown }
        if kill(process, 0) == 0 { return .living }
        switch errno {
        case ESRCH: return .dead
        case EPERM: return .living
        default: return .unknown
        }
    }
}

extension IndexFolder {
    /// The state of the process that made the open `stage`.
    func owner(of stage: Handle) -> StageOwner.State {
        // A file that cannot be read says as little as one that is missing.
        let line = try? fileSystem.readAll(StageOwner.fileName, in: stage)
        return StageOwner.state((line ?? nil) ?? [])
    }

    /// Removes the folder `name` in `staging`, and the file that names its owner last: so what a
    /// process leaves of it when it is killed meanwhile is still the stage of a dead process.
    func removeStage(_ name: FileName, in staging: Handle) throws {
        if try fileSystem.status(of: name, in: staging)?.kind == .folder,
            let stage = try fileSystem.openFolderIfPresent(name, in: staging)
        {
            let files = try fileSystem.unlessMissing { try fileSystem.list(stage) } ?? []
            for file in files where file != StageOwner.fileName {
                try fileSystem.removeTree(file, in: stage)
            }
        }
        try fileSystem.removeTree(name, in: staging)
    }
}
