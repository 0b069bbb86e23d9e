import Directory
import Foundation

extension Command {
    @Sendable static func backup(_ call: Call) throws {
        let folder = try URL(folder: call.operands[0])
        guard !folder.isInside(call.store.folder) else {
            throw Failure(
                .operation, "cannot back up to \(folder.relativePath): it is inside the store")
        }
        try copy(call.store.projects, to: folder)
        let count = call.store.projects.count
        call.say("Backed up \(count.of("project")) to \(folder.relativePath.styled(.blue))")
    }

    @Sendable static func restore(_ call: Call) throws {
        let folder = try URL(folder: call.operands[0])
        let (store, path) = (call.store.folder, folder.relativePath)
        guard !folder.isInside(store), !store.isInside(folder) else {
            throw Failure(
                .operation,
                "cannot restore \(path): it is the store itself, or one is inside the other",
                hint: "Give the folder of a new store with --store.")
        }
        let index = call.store.projects.url.lastPathComponent
        let file = folder.appending(path: index).path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: file) else {
            throw Failure(.operation, "there is no backup in \(path): no \(index)")
        }
        // Only an empty folder can be removed so.
        _ = rmdir(store.path(percentEncoded: false))
        let backup = try Directory<Project>(at: folder.absoluteURL, index: index)
        do {
            try copy(backup, to: store.absoluteURL)
        } catch let error as DirectoryError where error.code == .nameTaken {
            let store = store.path(percentEncoded: false)
            throw Failure(
                .operation, "there is something at \(store) already; move it, or give a --store")
        }
        call.say("Restored \(backup.count.of("project")) from \(path.styled(.blue))")
    }

    /// Copies the projects with all that they own; Ctrl-C cancels, and leaves nothing at `folder`.
    private static func copy(_ projects: Directory<Project>, to folder: URL) throws {
        let progress = Progress(totalUnitCount: 0)
        let interrupt = Interrupt { progress.cancel() }
        defer { interrupt.finish() }
        try waiting(unless: { progress.isCancelled }) {
            try projects.copy(to: folder.absoluteURL, progress: progress)
        }
    }
}
