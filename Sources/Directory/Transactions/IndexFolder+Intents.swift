import FileSystem

extension IndexFolder {
    /// The transaction folders of this index in `.staging` and `.trash`, and which of these two
    /// hold such folders or are empty.
    var transactionFolders: (names: Set<FileName>, parents: [FileName]) {
        get throws {
            var found: Set<FileName> = []
            var parents: [FileName] = []
            for name in [IndexNames.staging, IndexNames.trash] {
                // Usually the folder is missing, and to read its status costs less than to try to
                // open it.
                guard try fileSystem.status(of: name, in: handle) != nil,
                    let parent = try openFolder(name)
                else { continue }
                // A clean-up, which needs no lock, removes the folder once it is empty.
                let names = try fileSystem.unlessMissing { try fileSystem.list(parent) } ?? []
                let own = names.filter(self.names.isTransactionFolder)
                if names.isEmpty || !own.isEmpty { parents.append(name) }
                found.formUnion(own)
            }
            return (found, parents)
        }
    }

    /// Puts the intent of the transaction `name`, or its removal, on stable storage, with the folders
    /// that lead to it.
    func syncTransaction(_ name: FileName) throws {
        if let staging = try openFolder(IndexNames.staging) {
            if let own = try fileSystem.openFolderIfPresent(name, in: staging) {
                let file = try fileSystem.unlessMissing {
                    try fileSystem.openFile(Intent.fileName, in: own, for: .read)
                }
                if let file { try fileSystem.sync(file) }
                try fileSystem.sync(own)
            }
            try fileSystem.sync(staging)
        }
        try fileSystem.sync(handle)
    }

    /// What the transaction `name` moves; nil for a stage that no commit has used yet.
    func intent(of name: FileName) throws -> Intent? {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return nil }
        return try fileSystem.readAll(Intent.fileName, in: own).flatMap(Intent.init)
    }
}
