import FileSystem

/// A new index, written and synced under a temporary name.
struct TemporaryIndex {
    let name: FileName
    let fingerprint: IndexFingerprint
    /// The status of the file before it gets its name.
    let status: FileStatus
    /// Whether it has the mark of a journal.
    let isMarked: Bool
}

extension IndexFolder {
    /// Writes and syncs a new index under a temporary name; needs no lock.
    ///
    /// Its fingerprint differs from `other`.
    func writeTemporary(
        _ lines: some Sequence<ArraySlice<UInt8>>, isMarked: Bool = false,
        unlike other: IndexFingerprint? = nil
    ) throws -> TemporaryIndex {
        try writeTemporary(isMarked) { file in
            var writer = IndexWriter(fileSystem: fileSystem, file: file, isMarked: isMarked)
            for line in lines { try writer.append(line) }
            return try writer.finish(unlike: other)
        }
    }

    /// Writes and syncs a new index that has these `bytes`, with the `fingerprint` of these.
    func writeTemporary(_ bytes: [UInt8], _ fingerprint: IndexFingerprint) throws -> TemporaryIndex
    {
        try writeTemporary(JournalMark.isIn(bytes)) { file in
            try fileSystem.write(bytes, to: file, at: 0)
            return fingerprint
        }
    }

    private func writeTemporary(
        _ isMarked: Bool, _ write: (Handle) throws -> IndexFingerprint
    ) throws -> TemporaryIndex {
        let mode = try fileSystem.status(of: names.index, in: handle)?.mode
        return try makeTemporary(mode: mode, write) { name, file, fingerprint in
            TemporaryIndex(
                name: name, fingerprint: fingerprint, status: try fileSystem.status(of: file),
                isMarked: isMarked)
        }
    }

    /// Makes a file with a temporary name, syncs what `write` wrote to it, and calls `then` with its name, the open file
    /// and the result of `write`; if one of these throws, removes the file.
    func makeTemporary<Value, Result>(
        mode: UInt16? = nil, _ write: (Handle) throws -> Value,
        then: (FileName, Handle, Value) throws -> Result
    ) throws -> Result {
        let (name, file, value) = try writeUnsynced(mode: mode, write)
        return try removingOnError(name) {
            try sync(file)
            return try then(name, file, value)
        }
    }

    /// Makes a file with a temporary name, which `write` writes; if that throws, removes the file.
    func writeUnsynced<Value>(mode: UInt16? = nil, _ write: (Handle) throws -> Value) throws
        -> (name: FileName, file: Handle, value: Value)
    {
        let name = try names.newTemporary()
        return try removingOnError(name) {
            let file = try makeFile(name, in: handle, mode: mode)
            return (name, file, try write(file))
        }
    }

    /// Calls `body`, and removes the temporary file `name` if that throws.
    func removingOnError<Result>(_ name: FileName, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            // Best effort: the next process that locks the index removes a file that stays.
            try? fileSystem.removeFile(name, in: handle)
            throw error
        }
    }

    /// Syncs the folder after a file in it was replaced.
    ///
    /// - Throws: ``DirectoryError`` with `inDoubt`.
    func syncReplacement() throws {
        do {
            try sync(handle)
        } catch {
            throw isInPlaceButNotSynced(error)
        }
    }

    /// The error of a file that was replaced, if the sync of the folder then failed with `error`.
    func isInPlaceButNotSynced(_ error: any Error) -> DirectoryError {
        DirectoryError(
            .inDoubt, "sync", url, "the change is in place but not synced",
            underlying: error, people: .init(doubtAfter: error, of: names.index.string))
    }
}
