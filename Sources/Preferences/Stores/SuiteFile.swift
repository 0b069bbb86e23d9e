#if !canImport(ObjectiveC)
    import FileSystem
    import Foundation

    /// The property list in which Foundation on Linux keeps a suite.
    ///
    /// Foundation takes a file that it cannot read for an empty suite, and writes over it. So this type
    /// reads and writes the file without Foundation's `UserDefaults`, and never replaces an unreadable
    /// file.
    struct SuiteFile {
        private let url: URL
        private let fileSystem = LocalFileSystem()

        private static let temporary: FileName = ".preferences.tmp"

        /// The file of the suite `name`, which may be missing.
        init(name: String) {
            self.init(
                UserFolder.configuration.appending(
                    path: "\(name).plist", directoryHint: .notDirectory))
        }

        /// The file at `url`, or the one that a link there leads to.
        init(_ url: URL) { self.url = url.resolvingSymlinksInPath() }

        var path: String { url.path(percentEncoded: false) }

        /// The stored values; none if the file is missing.
        ///
        /// - Throws: ``FileSystemError`` if the file cannot be read, ``DamagedSuite`` if it has no values.
        func read() throws -> [String: Any] {
            do {
                let folder = try fileSystem.openParent(of: url)
                return try contents(in: folder, for: .read).values
            } catch let error as FileSystemError
                where [.noSuchFile, .notFolder].contains(error.code)
            {
                return [:]
            }
        }

        /// Sets the value of each key in `changes`, or removes the key if the value is nil.
        ///
        /// The file is replaced by a new one, which is on stable storage when this returns.
        ///
        /// - Returns: All values, as they are in the file.
        /// - Throws: ``FileSystemError`` or ``DamagedSuite``. The file is then as it was, except after a failed sync of its
        ///   folder: then it is the new one, which may not survive a power loss.
        func apply(_ changes: [String: PropertyList?]) throws -> [String: Any] {
            let path = url.deletingLastPathComponent().path(percentEncoded: false)
            let folder = try fileSystem.openOrMakeFolder(at: path, mode: 0o700)
            try lock(folder)
            // Opened for writing too, so that a read-only file is refused, not replaced.
            var new =
                try fileSystem.unlessMissing { try contents(in: folder, for: .update) }
                ?? Contents()
            for (key, value) in changes { new.values[key] = value?.object }
            let bytes = try PropertyListSerialization.data(
                fromPropertyList: new.values, format: new.format == .binary ? .binary : .xml,
                options: 0)
            try replace(with: Array(bytes), mode: new.mode, in: folder)
            return try values(in: bytes).values
        }

        /// The contents of the file.
        private struct Contents {
            var values: [String: Any] = [:]
            var format = PropertyListSerialization.PropertyListFormat.xml
            var mode: UInt16 = 0o600
        }

        private var fileName: FileName {
            get throws { try FileName(validating: url.lastPathComponent) }
        }

        private func contents(in folder: Handle, for access: FileAccess) throws -> Contents {
            let file = try fileSystem.openFile(fileName, in: folder, for: access)
            var contents = Contents()
            contents.mode = try fileSystem.status(of: file).mode
            // Foundation writes in place, so another process may have written only a part yet.
            for _ in 1...3 {
                let bytes = try Data(fileSystem.readAll(file))
                if let found = try? values(in: bytes) {
                    (contents.values, contents.format) = found
                    return contents
                }
                usleep(1000)
            }
            throw damage
        }

        private var damage: DamagedSuite { DamagedSuite(path: path) }

        private func values(in bytes: Data) throws
            -> (values: [String: Any], format: PropertyListSerialization.PropertyListFormat)
        {
            var format = PropertyListSerialization.PropertyListFormat.xml
            let value = try PropertyListSerialization.propertyList(from: bytes, format: &format)
            guard let values = value as? [String: Any] else { throw damage }
            return (values, format)
        }

        private func replace(with bytes: [UInt8], mode: UInt16, in folder: Handle) throws {
            // A process that was killed can have left a temporary file.
            try fileSystem.unlessMissing {
                try fileSystem.removeFile(Self.temporary, in: folder)
            }
            try fileSystem.placeFile(fileName, in: folder, from: Self.temporary, in: folder) {
                let new = try fileSystem.openFile(
                    Self.temporary, in: folder, for: .create(mode: mode))
                try fileSystem.write(bytes, to: new, at: 0)
                return new
            }
        }

        /// Locks the folder until `folder` is released; waits for other processes for 10 seconds at most.
        private func lock(_ folder: Handle) throws {
            let deadline = ContinuousClock.now + .seconds(10)
            while try !fileSystem.tryLock(folder) {
                guard ContinuousClock.now < deadline else {
                    throw FileSystemError("lock", folder.path, Errno(rawValue: EWOULDBLOCK))
                }
                usleep(1000)
            }
        }
    }
#endif

/// A file of a suite that is empty, or not a property list of keys and values.
struct DamagedSuite: Error, CustomStringConvertible {
    let path: String

    var description: String {
        "cannot read the preferences in \(path): it is not a property list of keys and values. Get it back from a backup, "
            + "or remove it."
    }
}
