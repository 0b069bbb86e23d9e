import Directory
import Foundation

extension Command {
    @Sendable static func backup(_ call: Call) throws {
        let folder = try URL(call.operands[0], of: "folder", directoryHint: .isDirectory)
        try folder.check(isOutside: call.store, to: "back up to")
        try cancelling { try call.store.projects.copy(to: folder.absoluteURL, progress: $0) }
        let count = call.store.projects.count
        call.say("Backed up \(count.of("project")) to \(folder.relativePath.styled(.blue))")
    }

    @Sendable static func archive(_ call: Call) throws {
        let file = try URL(call.operands[0], of: "file", directoryHint: .notDirectory)
        try file.check(isOutside: call.store, to: "write")
        try cancelling { try call.store.projects.archive(to: file.absoluteURL, progress: $0) }
        let count = call.store.projects.count
        call.say("Archived \(count.of("project")) in \(file.relativePath.styled(.blue))")
    }

    @Sendable static func restore(_ call: Call) throws {
        let backup = try URL(call.operands[0], of: "backup", directoryHint: .checkFileSystem)
        let (store, path) = (call.store.folder, backup.relativePath)
        guard !backup.isInside(store), !store.isInside(backup) else {
            throw Failure(
                "cannot restore \(path): it is the store itself, or one is inside the other",
                hint: "Give the folder of a new store with --store.")
        }
        // The index of a backup that is a folder; or the archive.
        let file = backup.hasDirectoryPath ? backup.appending(path: Store.index) : backup
        guard FileManager.default.fileExists(atPath: file.path(percentEncoded: false)) else {
            throw Failure("there is no backup in \(path): no \(Store.index)")
        }
        guard call.store.isMissing || call.has(.force) else {
            throw Failure(
                "there is a store at \(store.relativePath) already",
                hint: "Use --force to make it what the backup is, or give a --store.")
        }
        let projects = call.store.projects
        try cancelling { try projects.restore(from: backup.absoluteURL, progress: $0) }
        try waiting { try projects.close() }
        call.say("Restored \(projects.count.of("project")) from \(path.styled(.blue))")
    }

    @Sendable static func merge(_ call: Call) throws {
        let source = try URL(call.operands[0], of: "backup", directoryHint: .checkFileSystem)
        let projects = call.store.projects
        let report = try cancelling { progress in
            var (names, folders) = (Set(projects.items.map(\.name)), [String]())
            return try projects.merge(
                from: source.absoluteURL, progress: progress,
                changing: { project in
                    // Another project may have the name; people can rename it.
                    while names.contains(project.name) { project.name += " (merged)" }
                    names.insert(project.name)
                    project.folderName = try projects.freeFolderName(
                        for: "Project_\(project.name)", beside: folders)
                    folders.append(project.folderName)
                }
            ) { _, _ in call.has(.theirs) ? .takeTheirs : .keepMine }
        }
        try waiting { try projects.close() }
        let parts = [
            "added \(report.added.count.of("project"))",
            report.replaced.isEmpty ? nil : "replaced \(report.replaced.count)",
            report.kept.isEmpty ? nil : "kept \(report.kept.count) as they are here",
        ].compactMap(\.self)
        call.say("Merged \(source.relativePath.styled(.blue)): \(parts.joined(separator: ", "))")
    }

    /// Calls `body` with a progress that Ctrl-C cancels; after a cancellation nothing has changed.
    private static func cancelling<Result>(_ body: (Progress) throws -> Result) throws -> Result {
        let progress = Progress(totalUnitCount: 0)
        let interrupt = Interrupt { progress.cancel() }
        defer { interrupt.finish() }
        return try waiting(unless: { progress.isCancelled }) { try body(progress) }
    }
}
