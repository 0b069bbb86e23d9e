import FileSystem
import Foundation

/// What the next process that takes the lock ends or removes, which can be seen if nothing was recovered
/// first.
extension Verification {
    /// A change that is not finished; nil if its process may go on.
    func unfinished(_ name: FileName, _ intent: Intent, in staging: Handle) throws -> Result? {
        guard let found = try fileSystem.status(of: name, in: staging),
            try folder.isAbandoned(since: found.modificationDate)
        else { return nil }
        let byteCount = try [IndexNames.staging, IndexNames.trash].reduce(0) { sum, parent in
            guard let own = try folder.openFolder(name, in: parent) else { return sum }
            return try sum + fileSystem.byteCount(below: own)
        }
        let what = "a change with \(byteCount) bytes of files"
        return result(
            .leftoverTransaction, staging.url(of: name),
            "\(what) is not finished; the next process that opens the collection ends or undoes it",
            .undecided)
    }

    /// A change of several collections that is not finished; nil if its process may go on.
    func unfinishedTree(_ name: FileName, _ tree: TreeIntent, in staging: Handle) throws -> Result?
    {
        if folder.isOther(tree.machine) { return ofOtherMachine(name, tree.machine, in: staging) }
        guard let found = try fileSystem.status(of: name, in: staging),
            try isRecovered || folder.isAbandoned(since: found.modificationDate)
        else { return nil }
        let what = "a change of several collections"
        return isRecovered
            ? result(
                .leftoverTransaction, staging.url(of: name),
                "\(what) cannot be ended, because one of them is not at its place or was changed by others",
                .list(name))
            : result(
                .leftoverTransaction, staging.url(of: name),
                "\(what) is not finished; the next process that opens one of them ends or undoes it",
                .undecided)
    }

    /// Folders that a change without an intent removed; nil if its process may go on.
    func unfinishedRemoval(_ name: FileName, in trash: Handle) throws -> Result? {
        guard !live.contains(name), try !hasIntent(name),
            let found = try fileSystem.status(of: name, in: trash),
            try folder.isAbandoned(since: found.modificationDate),
            let own = try folder.openFolder(name, in: IndexNames.trash)
        else { return nil }
        return result(
            .leftoverTrash, trash.url(of: name),
            "removed folders, \(try fileSystem.byteCount(below: own)) bytes, of a change that is not "
                + "finished; the next process that opens the collection ends or undoes it",
            .undecided)
    }

    /// Whether there is a file for what the change `name` moves, so that it is a finding already.
    private func hasIntent(_ name: FileName) throws -> Bool {
        guard let own = try folder.openFolder(name, in: IndexNames.staging) else { return false }
        return try Transaction.hasRecords(in: own, on: fileSystem)
    }

    /// The temporary files and folders of processes that have ended.
    func temporaryFiles() throws -> [Result] {
        try fileSystem.list(folder.handle).filter(folder.names.isTemporary).compactMap { name in
            guard let found = try fileSystem.status(of: name, in: folder.handle),
                try folder.isAbandoned(since: found.modificationDate, thisProcessIsDone: false)
            else { return nil }
            let inner =
                found.kind == .folder
                ? try fileSystem.openFolderIfPresent(name, in: folder.handle) : nil
            let byteCount = try inner.map(fileSystem.byteCount(below:)) ?? found.size
            return result(
                .leftoverFile, folder.handle.url(of: name),
                "\(found.kind.inWords) with a temporary name, \(byteCount) bytes, of a process that has "
                    + "ended", .undecided)
        }
    }
}
