import FileSystem
import Synchronization

extension Core {
    /// Commits pending edits, writes the journal into the index, refuses all later changes, and
    /// waits for the background work.
    func close() throws {
        try refuseInsideWrite("close")
        try refuseInsideAnyWrite("close")
        defer { if isClosed { watcher.end() } }
        if !isClosed {
            commitEdits()
            background.wait()
            do {
                try describing("close") { try checkpointAndRefuseChanges() }
            } catch let error as DirectoryError
                where [.containerRemoved, .readOnly, .accessDenied, .unfinishedChange]
                .contains(error.code)
            {
                // Nothing can be written here; a journal stays in use.
                try refuseChanges()
            }
            store.journalFile.file = nil
            store.lockFile.file = nil
            store.folder.file = nil
            try withWriter { _ in forgetHistory() }
        }
        broadcaster.streams.finish()
        background.wait()
    }

    /// Adds a handle, such as a `Directory` value: the collection stays open as long as it has one.
    func addHandle() { handleCount.add(1, ordering: .relaxed) }

    /// Removes a handle; with the last one, the collection ends its work soon.
    func removeHandle() {
        let others = handleCount.subtract(1, ordering: .acquiringAndReleasing).newValue
        if others > 0 { return }
        commitEdits()
        forgetHistoryIfFree()
        RecentCores.shared.keep(self)
    }

    /// Whether ``close()`` has succeeded.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Throws if the collection was closed.
    func refuseIfClosed() throws {
        if isClosed { throw DirectoryError(.closed, "use", url, "it was closed") }
    }

    private func checkpointAndRefuseChanges() throws {
        guard let folder = try openFolder(making: false), try folder.canHaveJournal else {
            return try refuseChanges()
        }
        // Most of the work is done while other processes can commit.
        try checkpoint(in: folder)
        try withLock { index in
            if index.known.state.journal != nil { try index.rewrite() }
            state.withLock { $0.isClosed = true }
        }
    }

    private func refuseChanges() throws {
        try withWriter { _ in state.withLock { $0.isClosed = true } }
    }
}

extension IndexFolder {
    /// Whether a process ever changed the index.
    fileprivate var canHaveJournal: Bool {
        get throws {
            try [names.lock, names.journal].contains {
                try fileSystem.status(of: $0, in: handle) != nil
            }
        }
    }
}
