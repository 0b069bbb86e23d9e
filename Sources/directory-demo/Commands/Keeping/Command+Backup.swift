import Directory
import Foundation

extension Command {
    @Sendable static func backup(_ call: Call) throws {
        let folder = try URL(folder: call.operands[0])
        guard !folder.isInside(call.store.folder) else {
            throw Failure(
                .operation, "cannot back up to \(folder.relativePath): it is inside the store")
        }
        try cancelling { try call.store.projects.copy(to: folder.absoluteURL, progress: $0) }
        let count = call.store.projects.count
        call.say("Backed up \(count.of("project")) to \(folder.relativePath.styled(.blue))")
    }

    @Sendable static func restore(_ call: Call) throws {
        let backup = try URL(source: call.operands[0])
        let (store, path) = (call.store.folder, backup.relativePath)
        guard !backup.isInside(store), !store.isInside(backup) else {
            throw Failure(
                .operation,
                "cannot restore \(path): it is the store itself, or one is inside the other",
                hint: "Give the folder of a new store with --store.")
        }
        let index = call.store.projects.url.lastPathComponent
        let file = backup.appending(path: index).path(percentEncoded: false)
        guard backup.isFile || FileManager.default.fileExists(atPath: file) else {
            throw Failure(.operation, "there is no backup in \(path): no \(index)")
        }
        guard call.store.isMissing || call.has(.force) else {
            throw Failure(
                .operation, "there is a store at \(store.relativePath) already",
                hint: "Use --force to make it what the backup is, or give a --store.")
        }
        let projects = call.store.projects
        try cancelling { try projects.restore(from: backup.absoluteURL, progress: $0) }
        try waiting { try projects.close() }
        call.say("Restored \(projects.count.of("project")) from \(path.styled(.blue))")
    }

    @Sendable static func archive(_ call: Call) throws {
        let path = call.operands[0]
        guard !path.isEmpty else { throw Failure(.operation, "the path of the file is empty") }
        let file = URL(filePath: path, directoryHint: .notDirectory)
        guard !file.isInside(call.store.folder) else {
            throw Failure(
                .operation, "cannot write \(file.relativePath): it is inside the store")
        }
        let projects = call.store.projects
        try cancelling { try projects.archive(to: file.absoluteURL, progress: $0) }
        call.say("Archived \(projects.count.of("project")) in \(file.relativePath.styled(.blue))")
    }

    @Sendable static func merge(_ call: Call) throws {
        let source = try URL(source: call.operands[0])
        let projects = call.store.projects
        var report: Directory<Project>.MergeReport?
        try cancelling { progress in
            var (names, folders) = (Set(projects.items.map(\.name)), [String]())
            report = try projects.merge(
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
        guard let report else { return }
        let parts = [
            "added \(report.added.count.of("project"))",
            report.replaced.isEmpty ? nil : "replaced \(report.replaced.count)",
            report.kept.isEmpty ? nil : "kept \(report.kept.count) as they are here",
        ].compactMap(\.self)
        call.say("Merged \(source.relativePath.styled(.blue)): \(parts.joined(separator: ", "))")
    }

    /// Calls `body` with a progress that Ctrl-C cancels; then nothing has changed.
    private static func cancelling(_ body: (Progress) throws -> Void) throws {
        let progress = Progress(totalUnitCount: 0)
        let interrupt = Interrupt { progress.cancel() }
        defer { interrupt.finish() }
        try waiting(unless: { progress.isCancelled }) { try body(progress) }
    }
}
