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

    /// Syncs what transactions other than `current` have in the trash, where folders got hidden names.
    ///
    /// So after a power loss, none of these has the name of a folder that comes or goes now.
    ///
    /// - Returns: The trash; nil if there is none.
    @discardableResult func syncOlderTrash(besides current: FileName? = nil) throws -> Handle? {
        guard try fileSystem.status(of: IndexNames.trash, in: handle) != nil,
            let trash = try openFolder(IndexNames.trash)
        else { return nil }
        let all = try fileSystem.unlessMissing { try fileSystem.list(trash) } ?? []
        for name in all where names.isTransactionFolder(name) && name != current {
            if let older = try openFolder(name, in: IndexNames.trash) { try fileSystem.sync(older) }
        }
        return trash
    }

    /// Makes durable that no folder in the trash has the name of one that an item gets now.
    func syncTrash() throws {
        guard let trash = try syncOlderTrash() else { return }
        // A clean-up removes the folders of transactions without a sync.
        try fileSystem.sync(trash)
    }

    /// What the transaction `name` moves; nil for a stage that no commit has used yet.
    func intent(of name: FileName) throws -> Intent? {
        var intent: Intent?
        if let own = try openFolder(name, in: IndexNames.staging) {
            intent = try fileSystem.readAll(Intent.fileName, in: own).flatMap(Intent.init)
        }
        guard let trash = try openFolder(IndexNames.trash),
            try fileSystem.status(of: name, in: trash) != nil
        else { return intent }
        intent = intent ?? Intent()
        if let own = try openFolder(name, in: IndexNames.trash) {
            // A clean-up, which needs no lock, may have removed it meanwhile.
            intent?.removedFolders =
                try fileSystem.unlessMissing { try fileSystem.list(own) } ?? []
        }
        return intent
    }
}
