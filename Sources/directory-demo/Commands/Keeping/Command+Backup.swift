import Directory
import Foundation

extension Command {
    static let backup = Command(
        "backup", "DIR", "Copy the store to DIR, or update the backup there.",
        "A folder with anything else in it, or a backup that was changed, stays as it is."
    ) { call in
        let folder = try URL(call.operands[0], of: "folder", directoryHint: .isDirectory)
        try folder.check(isOutside: call.store, to: "back up to")
        let projects = call.store.projects
        try await Interrupt.cancelling { try await projects.copy(to: folder.absoluteURL) }
        let count = projects.count.of("project")
        call.say("Backed up \(count) to \(folder.relativePath.styled(.blue))")
    }

    static let archive = Command(
        "archive", "FILE", "Write the store into FILE, a zip archive.",
        "Every system can unpack it. Nothing is replaced."
    ) { call in
        let file = try URL(call.operands[0], of: "file", directoryHint: .notDirectory)
        try file.check(isOutside: call.store, to: "write")
        let projects = call.store.projects
        try await Interrupt.cancelling { try await projects.archive(to: file.absoluteURL) }
        let count = projects.count.of("project")
        call.say("Archived \(count) in \(file.relativePath.styled(.blue))")
    }

    static let restore = Command(
        "restore", "BACKUP", options: [.force], needs: .unreadStore,
        "Make the store from a backup or an archive.",
        """
        The backup is checked first. With --force, a store that is there becomes what
        the backup is, in one step; "deleted" shows what it had besides.
        """
    ) { call in
        let backup = try URL(call.operands[0], of: "backup", directoryHint: .checkFileSystem)
        try backup.check(isOutside: call.store, to: "restore from")
        guard call.store.isMissing || call.has(.force) else {
            throw Failure(
                "there is a store at \(call.store.folder.relativePath) already",
                hint: "Use --force to make it what the backup is, or give a --store.")
        }
        let projects = call.store.projects
        let unused = try await Interrupt.cancelling {
            try await projects.restore(from: backup.absoluteURL)
        }
        try await projects.close()
        let count = projects.count.of("project")
        call.say("Restored \(count) from \(backup.relativePath.styled(.blue))")
        call.name(unused)
    }

    static let merge = Command(
        "merge", "BACKUP", options: [.theirs], needs: .anyStore,
        "Add the projects of a backup, an archive or a store.",
        """
        In one step: projects that are not here are added. Of those that are here and
        differ, yours stay, or with --theirs are replaced; "deleted" shows them then.
        """
    ) { call in
        let source = try URL(call.operands[0], of: "backup", directoryHint: .checkFileSystem)
        let projects = call.store.projects
        let report = try await Interrupt.cancelling {
            try merge(
                source.absoluteURL, into: projects, call.has(.theirs) ? .takeTheirs : .keepMine)
        }
        try await projects.close()
        let added = "added \(report.added.count.of("project"))"
        let replaced = report.replaced.isEmpty ? "" : ", replaced \(report.replaced.count)"
        let kept = report.kept.isEmpty ? "" : ", kept \(report.kept.count) as they are here"
        call.say("Merged \(source.relativePath.styled(.blue)): \(added)\(replaced)\(kept)")
        call.name(report.unused)
    }

    private static func merge(
        _ source: URL, into projects: Directory<Project>, _ choice: Directory<Project>.MergeChoice
    ) throws -> Directory<Project>.MergeReport {
        var (names, folders) = (Set(projects.items.map(\.name)), [String]())
        return try projects.merge(
            from: source,
            changing: { project in
                // Another project may have the name; people can rename it.
                project.name = project.name.unused(" (merged)", names)
                names.insert(project.name)
                project.folderName = try projects.freeFolderName(
                    for: "Project_\(project.name)", beside: folders)
                folders.append(project.folderName)
            }
        ) { _, _ in choice }
    }
}

extension Command.Call {
    /// Prints a line about each file of a backup that was not used.
    fileprivate func name(_ unused: [Finding]) {
        for finding in unused {
            say("\(finding.message.printable): \(finding.path.styled(.blue))")
        }
    }
}
