import FileSystem

extension IndexFolder {
    /// The transaction folders of this index in `.staging` and `.trash`, which of these two hold such folders or are
    /// empty, and whether both are missing.
    var transactionFolders: (names: Set<FileName>, parents: [FileName], areMissing: Bool) {
        get throws {
            var found: Set<FileName> = []
            var parents: [FileName] = []
            var areMissing = true
            for name in [IndexNames.staging, IndexNames.trash] {
                // Usually the folder is missing, and to read its status costs less than to try to
                // open it.
                guard try fileSystem.status(of: name, in: handle) != nil else { continue }
                areMissing = false
                guard let parent = try openFolder(name) else { continue }
                // A clean-up, which needs no lock, removes the folder once it is empty.
                let names = try fileSystem.unlessMissing { try fileSystem.list(parent) } ?? []
                let own = names.filter(self.names.isTransactionFolder)
                if names.isEmpty || !own.isEmpty { parents.append(name) }
                found.formUnion(own)
            }
            return (found, parents, areMissing)
        }
    }

    /// Puts the intent of the transaction `name`, or its removal, on stable storage, with the folders that lead to it, and
    /// with the files and folders `others`.
    func syncTransaction(_ name: FileName, with others: [Handle] = []) throws {
        var handles = others
        if let staging = try openFolder(IndexNames.staging) {
            if let own = try fileSystem.openFolderIfPresent(name, in: staging) {
                let file = try fileSystem.openFileIfPresent(Intent.fileName, in: own, for: .read)
                if let file { handles.append(file) }
                handles.append(own)
            }
            handles.append(staging)
        }
        try fileSystem.sync(handles + [handle])
    }

    /// Whether the intent of the transaction `name` is complete but in a form unknown to this version.
    func hasUnknownIntent(_ name: FileName) throws -> Bool {
        guard let own = try openFolder(name, in: IndexNames.staging),
            let bytes = try fileSystem.readAll(Intent.fileName, in: own)
        else { return false }
        return CheckedLine.isComplete(bytes) && Intent(bytes) == nil
    }

    /// The error for a transaction whose record is of an unknown version.
    var isOfOtherVersion: UnendableTransaction {
        UnendableTransaction(
            error: DirectoryError(
                .unfinishedChange, "end a change of", indexURL,
                "a process died during the change, and another version of the library wrote its record",
                remedy: "Open it with the version of the app that made the change.",
                people: .init(
                    operation: "change",
                    reason: "another version of the app began a change and did not finish it")),
            isMissing: true)
    }

    /// The intent of the transaction `name`; nil if it has none, as a stage that no commit has used yet.
    func intent(of name: FileName) throws -> Intent? {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return nil }
        return try fileSystem.readAll(Intent.fileName, in: own).flatMap(Intent.init)
    }
}
