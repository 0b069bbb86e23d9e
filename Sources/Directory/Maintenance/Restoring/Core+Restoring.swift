import FileSystem
import Foundation

extension Core {
    /// Restores the collection from the copy at `url`, in one commit.
    ///
    /// - Returns: The files and folders of the copy that were not used.
    func restore(from url: URL, _ progress: Progress?) throws -> [Finding] {
        let operation = "restore"
        var unused: [Finding] = []
        try takingIn(url, operation, progress) { copy, draft, index in
            guard draft.damaged.isEmpty else {
                throw DirectoryError(
                    .undecodable, operation, self.url,
                    "elements of it cannot be decoded, which would be lost",
                    remedy:
                        "Make items of them with migrateDamagedItems, or restore into a new folder.",
                    people: .init(
                        reason: "some of its items cannot be read",
                        remedy: DirectoryError.Code.undecodable.advice))
            }
            try copy.exchange(in: &draft, of: index)
            unused = copy.unused
        }
        return unused
    }

    /// Commits the changes that `body` makes to a draft from a checked copy of the collection at `url`.
    func takingIn(
        _ url: URL, _ operation: String, _ progress: Progress?,
        _ body: (StagedCopy, inout ElementDraft, IndexFolder) throws -> Void
    ) throws {
        guard let folder = try openFolder(making: true) else { throw folderIsMissing }
        try load()
        let folders = snapshot.names.value.folders
        guard try !folder.hasInside(existing: url, owned: { folders.owner(of: $0) != nil }) else {
            throw DirectoryError(
                .invalidLocation, "\(operation) from", url,
                "it is inside the collection that is replaced",
                remedy: "Move it out of the collection first.",
                people: .init(
                    reason: "it is inside of what is replaced", remedy: "Move it out first."))
        }
        try withStage(in: folder) { own, name in
            var copy = try stage(url, in: own, operation, progress)
            try copy.compare(with: snapshot.elements, in: folder)
            try cancellationCheck(progress, operation)()
            let request = CommitRequest(
                durability: .durable, operation: operation,
                stage: name, recording: .restoring)
            try commit(request) { draft in
                try body(copy, &draft, draft.write?.place?.index.folder ?? folder)
            }
            progress.map(complete)
        }
    }

    /// Calls `body` with a new transaction folder in `.staging`, which is removed afterwards, and with its name.
    func withStage<Result>(
        in folder: IndexFolder, _ body: (_ own: Handle, _ name: FileName) throws -> Result
    ) throws -> Result {
        let name = try store.names.transactionFolder()
        live.insert(name)
        defer { live.remove(name) }
        let own = try folder.makeStage(name)
        defer {
            // Best effort: recovery removes a folder that stays, once this process has ended. It needs the whole folder
            // if the write could not be ended. Kept files are elsewhere by now.
            if (try? Transaction.hasRecords(in: own, on: fileSystem)) == false,
                let staging = try? folder.openFolder(IndexNames.staging)
            {
                try? folder.removeStage(name, in: staging)
                folder.removeIfEmpty(IndexNames.staging)
            }
        }
        return try body(own, name)
    }

    /// Copies the copy at `url`, or unpacks the archive, into `own`, the folder of a transaction, and checks it there.
    ///
    /// - Throws: `CancellationError`, or ``DirectoryError`` with `damagedCopy` and other codes.
    private func stage(
        _ url: URL, in own: Handle, _ operation: String, _ progress: Progress?
    ) throws -> StagedCopy {
        func damaged(
            _ reason: String, _ error: (any Error)? = nil, remedy: String? = nil,
            people: DirectoryError.Wording = .init()
        ) -> DirectoryError {
            DirectoryError(
                .damagedCopy, "\(operation) from", url, reason, underlying: error, remedy: remedy,
                people: people)
        }
        do {
            let target = try makeFolder(DraftFiles.newFolder, in: own)
            let (original, missing) = try fill(target, from: url, operation, progress)
            let isArchive = original === target
            let used = try isArchive ? [] : Set(fileSystem.list(target))
            // This recovers unfinished changes in it.
            let staged = try opened(target.url)
            try staged.load()
            try staged.close()
            // What cannot be ended is damage.
            do { try store.endJointWrites(below: target) } catch is UnendableTransaction {}
            let unused = try UnusedEntries(
                store: store, owned: staged.snapshot.names.value, used: used, staged: target
            ).find(in: original)
            if isArchive { try unused.forEach { try remove($0.path, from: target) } }
            let found = try missing + damage(in: target, staged)
            if let first = found.first {
                let path = first.path.replacing(
                    target.path, with: url.path(percentEncoded: false), maxReplacements: 1)
                let more = found.count > 1 ? ", and \(found.count - 1) more" : ""
                throw damaged("\(first.message): \(path)\(more)")
            }
            return StagedCopy(
                folder: IndexFolder(store: staged.store, handle: target), snapshot: staged.snapshot,
                unused: unused.map { entry in
                    Finding(.unusedFile, url.appending(path: entry.path.text), entry.message)
                })
        } catch let damage as CopyDamage {
            throw damaged(damage.reason, remedy: damage.remedy, people: damage.people)
        } catch let error as DirectoryError
            where error.code.isDamage || [.undecodable, .unfinishedChange].contains(error.code)
        {
            throw damaged(error.reason, error, people: .init(ofCopy: error))
        }
    }

    /// Copies the copy at `url` into the empty folder `target`, or unpacks the archive.
    ///
    /// - Returns: The folder of the copy, for an archive `target`; and what it lacks of its manifest.
    /// - Throws: ``CopyDamage``; ``DirectoryError``.
    private func fill(
        _ target: Handle, from url: URL, _ operation: String, _ progress: Progress?
    ) throws -> (original: Handle, missing: [Finding]) {
        /// Errors of the collection's own volume are not about the copy.
        func own(_ body: () throws -> Void) throws {
            do { try body() } catch let error as FileSystemError
                where error.path.hasPrefix(target.path)
            { throw DirectoryError(error, operation, self.url) }
        }
        if isFile(url) {
            try DirectoryError.describing("unpack", url) {
                try own { try unpack(url, into: target, operation, progress) }
            }
            // With a manifest, another program has made the archive, of a copy.
            let folder = IndexFolder(store: store, handle: target)
            return (target, try missing(in: folder, ofArchive: true))
        }
        let source = try opened(url)
        return try source.describing("read the copy") {
            guard let folder = try source.openFolder(making: false) else {
                throw noIndex(
                    .init(
                        reason: "it does not exist",
                        remedy: DirectoryError.Code.sourceMissing.advice))
            }
            let missing = try missing(in: folder, ofArchive: false)
            let check = cancellationCheck(progress, operation)
            try own {
                try source.copyContents(
                    of: folder, to: target, source.owned(in: folder), check: check, progress)
            }
            return (folder.handle, missing)
        }
    }

    /// What the copy in `folder` lacks of its manifest, if it has one.
    ///
    /// - Throws: ``CopyDamage`` if it has neither a manifest nor an index.
    private func missing(in folder: IndexFolder, ofArchive isArchive: Bool) throws -> [Finding] {
        func isThere(_ name: FileName, in folder: Handle) throws -> Bool {
            try fileSystem.status(of: name, in: folder)?.kind == .file
        }
        let copy = folder.handle
        let manifest = try CopyManifest(store.names.copyManifest, in: copy, on: fileSystem)
        if let manifest { return try manifest.missing(in: folder) }
        if try isThere(store.names.index, in: copy) { return [] }
        // Beside other entries, it can be the collection of a container.
        let visible = try fileSystem.list(copy).filter { !$0.isHidden }
        guard visible.count == 1, let inner = try fileSystem.openFolder(visible, in: copy),
            try isThere(store.names.index, in: inner)
        else { throw noIndex(.noBackup(of: store.names.stem)) }
        throw CopyDamage(
            reason: "the copy of \(store.names.index) is in its folder \(visible[0])",
            remedy: isArchive ? "Unpack the archive, and use that folder." : "Use that folder.",
            people: .backup(in: visible[0], ofArchive: isArchive))
    }

    /// The error of a copy without its index.
    private func noIndex(_ people: DirectoryError.Wording) -> CopyDamage {
        CopyDamage(reason: "there is no copy of \(store.names.index)", people: people)
    }

    private func remove(_ path: FolderPath, from copy: Handle) throws {
        guard let name = path.last,
            let folder = try fileSystem.openFolder(path.dropLast(), in: copy)
        else { return }
        try fileSystem.removeTree(name, in: folder)
    }

    /// Makes a separate core for the same index in another folder.
    private func opened(_ url: URL) throws -> Core {
        var options = store.options
        (options.undoLimit, options.keepsRemoved) = (0, nil)
        return Core(
            try PathLocation(url, on: fileSystem, options: options, isContainer: false),
            IndexStore(
                fileSystem: fileSystem, names: store.names, options: options, volume: store.volume),
            type(of: reader))
    }

    /// Whether there is something other than a folder at `url`, which is then read as an archive.
    private func isFile(_ url: URL) -> Bool {
        guard url.isFileURL else { return false }
        return url.withAccess {
            do {
                _ = try fileSystem.openFolder(at: url.path(percentEncoded: false))
                return false
            } catch let error as FileSystemError {
                return error.code == .notFolder
            } catch {
                return false
            }
        }
    }

    func makeFolder(_ name: FileName, in own: Handle) throws -> Handle {
        try fileSystem.makeFolder(name, in: own, mode: store.options.folderPermissions)
        return try fileSystem.openFolder(name, in: own)
    }

    /// The findings about damaged or missing parts of the copy in `target`.
    private func damage(in target: Handle, _ staged: Core) throws -> [Finding] {
        let own = try Verification(
            snapshot: staged.snapshot, reader: reader,
            folder: IndexFolder(store: staged.store, handle: target), live: [], isContainer: false
        ).results().map(\.finding)
        let store = TreeStore(fileSystem: fileSystem, options: .init())
        var verification = TreeVerification(of: target, in: store) {}
        return try (own + verification.run())
            .filter { try Finding.Kind.damage.contains($0.kind) && !willBeEnded($0) }
    }

    /// Whether `finding` is a change of one collection in the copy, which the next process that opens it ends.
    private func willBeEnded(_ finding: Finding) throws -> Bool {
        guard finding.kind == .leftoverTransaction,
            let own = try fileSystem.unlessNoFolder({
                try fileSystem.openFolder(at: finding.path)
            }),
            let intent = try fileSystem.readAll(Intent.fileName, in: own).flatMap(Intent.init)
        else { return false }
        return intent.machine == nil || intent.machine == store.options.machine
    }
}
