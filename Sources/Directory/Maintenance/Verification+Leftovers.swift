import FileSystem

extension Verification {
    /// Unfinished transactions, the stages and kept files of processes that may have ended, and recently removed items
    /// whose record cannot be read.
    func leftovers() throws -> [Result] {
        try unfinishedJointWrite() + leftoversInStaging() + leftoversInTrash()
            + unreadableRemovals()
    }

    private func unreadableRemovals() throws -> [Result] {
        try folder.removedWithUnreadableRecord.map { removed in
            let size = removed.byteCount.map { ", \($0) bytes," } ?? ""
            let reader = removed.byteCount == nil ? "user" : "version of the library"
            return result(
                .leftoverTrash, removed.url,
                "recently removed items\(size) whose record cannot be read; another \(reader) may be able to read it",
                .undecided)
        }
    }

    private func leftoversInStaging() throws -> [Result] {
        guard let staging = try folder.openFolder(IndexNames.staging),
            let names = try fileSystem.unlessMissing({ try fileSystem.list(staging) })
        else { return [] }
        // Without an intent, that of a joint write has no finding of its own.
        let joint = try folder.jointPart.map { try folder.names.transactionFolder($0.number) }
        return try names.filter { folder.names.isTransactionFolder($0) && !live.contains($0) }
            .sorted { $0.string < $1.string }
            .compactMap { name in
                if try folder.hasUnknownIntent(name) {
                    return result(
                        .leftoverTransaction, staging.url(of: name),
                        folder.isOfOtherVersion.error.reason, .undecided)
                }
                guard let intent = try folder.intent(of: name) else {
                    return name == joint ? nil : try leftoverStage(name, in: staging)
                }
                if folder.isOfOtherMachine(intent), let machine = intent.machine {
                    return ofOtherMachine(name, machine, in: staging)
                }
                if !isRecovered { return try unfinished(name, intent, in: staging) }
                return try waitingParkedFolder(name, intent, in: staging)
            }
    }

    /// The finding that a parked folder of the transaction `name` waits; nil if none does.
    private func waitingParkedFolder(_ name: FileName, _ intent: Intent, in staging: Handle) throws
        -> Result?
    {
        guard let own = try fileSystem.openFolderIfPresent(name, in: staging) else { return nil }
        // If some items cannot be read, the folder of a removed item stays parked until they can.
        let waiting = try intent.parked.filter { $0.folder.to != nil || snapshot.areAllOwnersKnown }
        guard
            let slot = try waiting.map(\.slot).first(where: {
                try fileSystem.status(of: $0, in: own) != nil
            })
        else { return nil }
        return result(
            .leftoverTransaction, own.url(of: slot),
            "the folder of an item waits here, because something else has its name, or because its item "
                + "cannot be read; move one of the two away", .undecided)
    }

    /// The finding for an unfinished change of another machine, in the folder `name`.
    func ofOtherMachine(_ name: FileName, _ machine: String, in staging: Handle) -> Result {
        result(
            .leftoverTransaction, staging.url(of: name),
            "a change that the machine \(machine) began is not finished", .undecided)
    }

    private func leftoversInTrash() throws -> [Result] {
        guard let trash = try folder.openFolder(IndexNames.trash),
            let all = try fileSystem.unlessMissing({ try fileSystem.list(trash) })
        else { return [] }
        let names = all.filter(folder.names.isTransactionFolder).sorted { $0.string < $1.string }
        return try names.compactMap { name in
            guard !live.contains(name), let kept = try folder.openFolder(name, in: IndexNames.trash)
            else { return nil }
            // Recovery removes the kept files of dead processes.
            let owner = try folder.keeper(of: kept)
            let date = try fileSystem.status(of: kept).modificationDate
            // A process makes the folder before the file that names it.
            guard try owner != nil || folder.isAbandoned(since: date) else { return nil }
            let state = owner.map(folder.state(ofOwner:)) ?? .dead
            guard [.unknown, .otherMachine].contains(state) || state == .dead && !isRecovered
            else { return nil }
            return result(
                .leftoverTrash, trash.url(of: name),
                "removed files, \(try fileSystem.byteCount(below: kept)) bytes, "
                    + "that a process could undo which may have ended",
                .undecided)
        }
    }

    /// The finding for a stage with files, or for removed folders that are not deleted; nil if its process lives.
    private func leftoverStage(_ name: FileName, in staging: Handle) throws -> Result? {
        guard let stage = try folder.openFolder(name, in: IndexNames.staging) else { return nil }
        switch try folder.owner(of: stage) {
        case .thisProcess, .living: return nil
        case .dead, .unknown, .otherMachine: break
        }
        // An incomplete intent is ignored.
        let files = try fileSystem.list(stage).filter {
            $0 != Intent.fileName && !StageOwner.isOwner($0)
        }
        // The next process moves recently removed items to `.removed`.
        guard !files.isEmpty, !files.contains(RemovalRecord.fileName) else { return nil }
        let byteCount = try fileSystem.byteCount(below: stage)
        return files.contains(where: Transaction.isRemoved)
            ? result(
                .leftoverTrash, staging.url(of: name),
                "removed folders, \(byteCount) bytes, that are not deleted yet", .undecided)
            : result(
                .leftoverStage, staging.url(of: name),
                "files to import, \(byteCount) bytes, of a process that may have ended",
                .undecided)
    }
}
