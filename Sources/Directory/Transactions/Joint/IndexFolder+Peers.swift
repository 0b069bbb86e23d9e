import FileSystem
import Foundation

/// Paths by which the participants of one write find each other.
extension IndexFolder {
    /// The error of a call that begins again, because its folders are no longer where it has found them.
    var folderHasMoved: Busy {
        Busy(
            error: DirectoryError(
                .locked, "find", indexURL, "its folder was moved or removed", remedy: "Try again.",
                people: .init(reason: "its folder was moved or removed")))
    }

    /// The names in the path from the root to this folder, which must be kept in place.
    ///
    /// - Throws: ``Busy`` if the folder is no longer where it was opened.
    private func pathFromRoot() throws -> [FileName] {
        let found = try fileSystem.unlessNoFolder {
            let path = try fileSystem.resolve(handle.path)
            let folder = try fileSystem.openFolder(fromRoot: path)
            return (path: path, identity: try fileSystem.status(of: folder).identity)
        }
        guard let found, try fileSystem.status(of: handle).identity == found.identity else {
            throw folderHasMoved
        }
        return found.path
    }

    /// Opens the folder at a relative path, for the index `index` in it; nil if it is missing.
    func open(_ path: String, index: String) throws -> IndexFolder? {
        let parts = path.split(separator: "/")
        guard parts.allSatisfy({ $0 == ".." || FileName(String($0)) != nil }),
            let found = try fileSystem.unlessNoFolder({ try openFolder(parts) })
        else { return nil }
        let store = IndexStore(
            fileSystem: fileSystem, names: try IndexNames(index, in: found.url),
            options: options)
        return IndexFolder(store: store, handle: found)
    }

    /// Whether this is the same index as `other`, and not a copy with the same intents.
    func isSame(as other: IndexFolder) throws -> Bool {
        let (here, there) = try (fileSystem.status(of: handle), fileSystem.status(of: other.handle))
        return names.index == other.names.index && here.identity == there.identity
    }

    /// The expected URL of the index `index` in the folder at a relative path.
    func url(ofIndex index: String, at path: String) -> URL {
        url.appending(path: "\(path)/\(index)", directoryHint: .notDirectory)
            .standardizedFileURL
    }

    /// The relative path from this folder to that of `other`; both must be kept in place.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if a name in it is not UTF-8: records are text.
    func path(to other: IndexFolder) throws -> String {
        let (here, there) = try (pathFromRoot(), other.pathFromRoot())
        let shared = zip(here, there).prefix { $0 == $1 }.count
        let names = try there.dropFirst(shared).map { name in
            guard let text = name.exactString else {
                throw DirectoryError(
                    .invalidLocation, "find", other.indexURL,
                    "the name of a folder above it is not UTF-8: \(name.string)",
                    remedy: "Rename that folder.",
                    people: .init(
                        reason: "the name of a folder above it cannot be read: “\(name.string)”",
                        remedy: "Rename that folder."))
            }
            return text
        }
        return (here.dropFirst(shared).map { _ in ".." } + names).joined(separator: "/")
    }

    private func openFolder(_ parts: [Substring]) throws -> Handle {
        do {
            return try parts.reduce(handle) { folder, part in
                part == ".."
                    ? try fileSystem.openParent(of: folder)
                    : try fileSystem.openFolder(FileName(validating: String(part)), in: folder)
            }
        } catch let error as FileSystemError where error.isWriteRefusal {
            // A sandbox does not let a process open all folders above its own.
            var path = try pathFromRoot()
            for part in parts {
                if part == ".." {
                    _ = path.popLast()
                } else {
                    path.append(try FileName(validating: String(part)))
                }
            }
            return try fileSystem.openFolder(fromRoot: path)
        }
    }
}
