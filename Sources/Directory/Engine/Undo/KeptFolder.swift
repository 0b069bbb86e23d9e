import FileSystem

/// A folder in the trash with the files that one step keeps; it is removed when no step needs it.
final class KeptFolder: Sendable {
    let name: FileName
    private let remove: @Sendable () -> Void

    init(of core: Core) throws {
        let name = try core.store.names.transactionFolder()
        self.name = name
        remove = { [weak core] in
            guard let core else { return }
            core.background.begin { core.removeKept(name) }
        }
        LiveTransactions.keeping.insert(name)
    }

    deinit {
        // If the collection is not open, recovery removes the folder.
        LiveTransactions.keeping.remove(name)
        remove()
    }
}
