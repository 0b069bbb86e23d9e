import FileSystem
import Foundation

extension Core {
    /// Writes a copy of the collection into a new file at `url`.
    func archive(to url: URL, _ progress: Progress?) throws {
        let source = try openFolder(making: false)
        let owned = owned(in: source)
        let destination = try CopyDestination(url, of: source, owned: owned(), store, .file)
        try destination.makeFile { [self] file, hidden in
            var writer = ZipWriter(file, on: fileSystem)
            guard let source else {
                try addEmptyIndex(to: &writer)
                return try writer.finish()
            }
            try withStage(of: source, orIn: hidden) { own in
                // No change of the collection removes files in the stage.
                let copy = try makeFolder(DraftFiles.newFolder, in: own)
                let check = cancellationCheck(progress, "archive")
                try copyContents(
                    of: source, to: copy, owned, isTransient: true, check: check, nil)
                try add(copy, to: &writer, progress, check)
            }
            try writer.finish()
        }
        progress.map(complete)
    }

    /// Calls `body` with a new folder on the volume of `source`, where a copy can share its files; with one in `other`
    /// if nothing can be written there.
    private func withStage(
        of source: IndexFolder, orIn other: Handle, _ body: (Handle) throws -> Void
    ) throws {
        var isMade = false
        do {
            try withStage(in: source) { own, _ in
                isMade = true
                try body(own)
            }
        } catch let error as FileSystemError where !isMade && error.isWriteRefusal {
            // Not `new`, which the archive may be called.
            try body(makeFolder(FileName(validating: ".\(RandomName.digits())"), in: other))
        }
    }

    private func addEmptyIndex(to writer: inout ZipWriter) throws {
        try writer.add(
            IndexStore.emptyIndex, at: [store.names.index], mode: store.options.filePermissions)
    }

    /// Adds the contents of `copy`, indexes first, so that a program that reads only the beginning can list the items.
    private func add(
        _ copy: Handle, to writer: inout ZipWriter, _ progress: Progress?,
        _ check: @Sendable () throws -> Void
    ) throws {
        let contents = try ArchivedContents(of: copy, on: fileSystem)
        progress.map { begin($0, contents.byteCount) }
        if try fileSystem.status(of: store.names.index, in: copy) == nil {
            try addEmptyIndex(to: &writer)
        }
        var walk = FolderWalk(copy, on: fileSystem)
        for (path, status) in contents.files {
            try checkName(path)
            guard let name = path.last, let folder = try walk.open(path.dropLast()) else {
                continue
            }
            let file = try fileSystem.openFile(name, in: folder, for: .read)
            try writer.add(file, status, at: path) { count in
                try check()
                progress.map { report(count, to: $0) }
            }
        }
        for (path, status) in contents.emptyFolders {
            try checkName(path)
            try writer.addFolder(path, status)
        }
    }

    /// Checks that an archive can have an entry at `path`.
    private func checkName(_ path: FolderPath) throws {
        let text = path.text
        let reason =
            if !path.allSatisfy({ $0.exactString != nil }) {
                "the name of \(text) is not UTF-8"
            } else if path.count > ZipEntry.maximumDepth
                || text.utf8.count >= ZipEntry.maximumLength
            {
                "the path \(text.prefix(100))… is too long for an archive"
            } else {
                ZipEntry.fault(of: path)
            }
        guard let reason else { return }
        throw DirectoryError(
            .invalidName, "archive", url, reason,
            remedy: "Rename it, or make a copy with copy(to:).",
            people: .init(
                reason: "a name in it cannot be in an archive",
                remedy: "Make a copy instead of an archive."))
    }

    /// Unpacks the archive at `url` into the empty folder `target`.
    func unpack(_ url: URL, into target: Handle, _ operation: String, _ progress: Progress?) throws
    {
        try url.withAccess {
            let source = try ImportSource(at: url, on: fileSystem)
            let reader = try ZipReader(source)
            let check = cancellationCheck(progress, operation)
            progress.map { begin($0, reader.byteCount) }
            let copier = FileCopier(on: fileSystem, store.options) { count in
                try check()
                progress.map { self.report(count, to: $0) }
            }
            try reader.unpack(into: target, copier, store.options, after: check)
        }
    }
}

/// The files and empty folders that belong in an archive.
private struct ArchivedContents {
    /// In the order in which they are written.
    let files: [(path: FolderPath, status: FileStatus)]
    let emptyFolders: [(path: FolderPath, status: FileStatus)]

    var byteCount: Int { files.reduce(0) { $0 + $1.status.size } }

    init(of folder: Handle, on fileSystem: any FileSystem) throws {
        var (files, emptyFolders): ([(FolderPath, FileStatus)], [(FolderPath, FileStatus)]) = (
            [], []
        )
        var walk = FolderWalk(folder, on: fileSystem)
        var paths: [FolderPath] = [[]]
        while let path = paths.popLast() {
            guard let inner = try walk.open(path) else { continue }
            let names = try fileSystem.list(inner)
            if names.isEmpty, !path.isEmpty {
                emptyFolders.append((path, try fileSystem.status(of: inner)))
            }
            for name in names {
                guard let status = try fileSystem.status(of: name, in: inner) else { continue }
                switch status.kind {
                case .folder: paths.append(path + [name])
                case .file: files.append((path + [name], status))
                case .symbolicLink, .other: break
                }
            }
        }
        self.files = files.map { ($0, $1, Self.order(of: $0)) }
            .sorted { ($0.2.rank, $0.2.text) < ($1.2.rank, $1.2.text) }
            .map { ($0.0, $0.1) }
        self.emptyFolders = emptyFolders
    }

    /// Indexes come first, those of the collection before those of containers; then journals; then all other files.
    private static func order(of path: FolderPath) -> (rank: Int, text: String) {
        let text = path.text
        guard let name = path.last, !FileRole.index.matches(name) else { return (path.count, text) }
        return (name.isHidden ? .max - 1 : .max, text)
    }
}
