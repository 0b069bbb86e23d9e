import Directory
import Foundation

extension Command {
    @Sendable static func backup(_ call: Call) throws {
        let folder = try folder(call.operands[0])
        try copy(call.store.projects, to: folder)
        let count = call.store.projects.count
        call.say("Backed up \(count.of("project")) to \(folder.relativePath.styled(.blue))")
    }

    @Sendable static func restore(_ call: Call) throws {
        let folder = try folder(call.operands[0])
        let index = call.store.projects.url.lastPathComponent
        let path = folder.appending(path: index).path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: path) else {
            throw Failure(.operation, "there is no backup in \(folder.relativePath): no \(index)")
        }
        // Only an empty folder can be removed so.
        _ = rmdir(call.store.folder.path(percentEncoded: false))
        let backup = try Directory<Project>(at: folder.absoluteURL, index: index)
        do {
            try copy(backup, to: call.store.folder.absoluteURL)
        } catch let error as DirectoryError where error.code == .nameTaken {
            let store = call.store.folder.path(percentEncoded: false)
            throw Failure(
                .operation, "there is something at \(store) already; move it, or give a --store")
        }
        call.say("Restored \(backup.count.of("project")) from \(folder.relativePath.styled(.blue))")
    }

    private static func folder(_ path: String) throws -> URL {
        guard !path.isEmpty else { throw Failure(.operation, "the path of the folder is empty") }
        return URL(filePath: path, directoryHint: .isDirectory)
    }

    /// Copies the projects with all that they own; Ctrl-C cancels, and leaves nothing at `folder`.
    private static func copy(_ projects: Directory<Project>, to folder: URL) throws {
        let progress = Progress(totalUnitCount: 0)
        let interrupt = Interrupt { progress.cancel() }
        defer { interrupt.finish() }
        try waiting { try projects.copy(to: folder.absoluteURL, progress: progress) }
    }
}
