import FileSystem
import Foundation

/// Leftovers that the next process with the lock ends or removes; they can be seen if no recovery came first.
extension Verification {
    /// A change that is not finished; nil if its process may go on.
    func unfinished(_ name: FileName, _ intent: Intent, in staging: Handle) throws -> Result? {
        guard let found = try fileSystem.status(of: name, in: staging),
            try folder.isAbandoned(since: found.modificationDate)
        else { return nil }
        let own = try folder.openFolder(name, in: IndexNames.staging)
        let byteCount = try own.map(fileSystem.byteCount(below:)) ?? 0
        let what = "a change with \(byteCount) bytes of files"
        return result(
            .leftoverTransaction, staging.url(of: name),
            "\(what) is not finished; the next process that opens the collection completes or undoes it",
            .undecided)
    }

    /// A change of several collections that is not finished; none if its process may go on.
    func unfinishedJointWrite() throws -> [Result] {
        guard let part = try folder.jointPart,
            // All tries to insert one stage have the same number. Between two tries, only the collection of the stage
            // has it among its live transactions.
            !live.contains(where: { IndexNames.transaction(of: $0) == part.number })
        else { return [] }
        let (journal, parent) = (folder.names.journal, folder.handle)
        if let machine = part.machine, folder.isOther(machine) {
            let found = ofOtherMachine(journal, machine, in: parent)
            return [Result(finding: found.finding, subject: .joint(part))]
        }
        guard let found = try fileSystem.status(of: journal, in: parent),
            try isRecovered || folder.isAbandoned(since: found.modificationDate)
        else { return [] }
        let state =
            isRecovered
            ? "cannot be ended, because one of them is not at its place or was changed by others"
            : "is not finished; the next process that opens one of them completes or undoes it"
        return [
            result(
                .leftoverTransaction, parent.url(of: journal),
                "a change of several collections \(state)", .joint(part))
        ]
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
