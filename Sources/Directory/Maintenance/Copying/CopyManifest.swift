import FileSystem
import Foundation

/// The files of a copy when it was made, and the files of the original that they are copies of.
///
/// A later copy to the same place finds out by it whether the copy was changed since, and which of its files are still
/// equal to those of the original.
struct CopyManifest: Codable {
    /// Identifies the folder of the original on its volume.
    struct Original: Codable, Equatable {
        var inode: UInt64
        /// The time when it was made; 0 if the volume does not know.
        var born: Int
    }

    /// A file of the original, as it was copied.
    struct Source: Codable, Equatable {
        var inode: UInt64
        var size: Int
        var modified: Int
        /// The time of the last change, also of attributes.
        var changed: Int
        var mode: UInt16
    }

    struct File: Codable {
        var name: FileName
        var inode: UInt64
        var size: Int
        var modified: Int
        var mode: UInt16
        /// Nil for a file that is not the copy of one: an index with the changes of its journal, which is written anew
        /// each time.
        var source: Source?
    }

    struct Folder: Codable {
        /// The path from the top of the copy, with slashes; empty for the top.
        var path: String
        var files: [File]
        /// The names of the indexes among them, and of those that had only a journal.
        var indexes: [FileName]?
    }

    /// Nil if there was no folder yet.
    var original: Original?
    /// When the copy was begun; this and all other times in nanoseconds since 1970.
    var began: Int
    var folders: [Folder]
}

extension CopyManifest {
    /// Describes the finished copy in `folder` of the folder `original`, which may not exist yet; nil if a name in it is
    /// not UTF-8.
    ///
    /// All files in it must be synced, because volumes may round the times of others later. `files` are those in the
    /// copy, by the paths of their folders; nil for one that is not the copy of a file. `indexes` are the names of the
    /// indexes among them.
    init?(
        of folder: Handle, begun: Date, _ original: FileIdentity?,
        _ files: [FolderPath: [FileName: CopiedFile?]], _ indexes: [FolderPath: Set<FileName>],
        on fileSystem: any FileSystem
    ) throws {
        guard files.allSatisfy({ ($0 + Array($1.keys)).allSatisfy { $0.exactString != nil } })
        else { return nil }
        self.original = original.map(Original.init)
        let began = FileTime(seconds: Int(begun.timeIntervalSince1970), nanoseconds: 0)
        self.began = began.nanosecondsSince1970
        folders = try files.map { path, files in
            let inner = try path.reduce(folder) { try fileSystem.openFolder($1, in: $0) }
            let files = try files.compactMap { name, file in
                try fileSystem.status(of: name, in: inner).map { File(name, $0, of: file) }
            }
            return Folder(
                path: path.text,
                files: files.sorted { $0.name.string < $1.name.string },
                indexes: indexes[path].map { $0.sorted { $0.string < $1.string } })
        }.sorted { $0.path < $1.path }
    }
}

extension CopyManifest {
    /// Reads the manifest `file` in `folder`; nil if it is missing or not complete.
    init?(_ file: FileName, in folder: Handle, on fileSystem: any FileSystem) throws {
        guard let bytes = try fileSystem.readAll(file, in: folder),
            let found = CheckedLine.decode(CopyManifest.self, from: bytes)
        else { return nil }
        self = found
    }
}

extension CopyManifest.Folder {
    /// The names in ``path``; nil if one of them is not valid.
    var names: FolderPath? {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
            .map { FileName($0) }
        if path.isEmpty { return [] }
        return names.contains(nil) ? nil : names.compactMap(\.self)
    }
}

extension CopyManifest.Original {
    init(_ identity: FileIdentity) { (inode, born) = (identity.inode, identity.born) }
}

extension CopyManifest.Source {
    init(_ status: FileStatus) {
        inode = status.identity.inode
        size = status.size
        modified = status.modified.nanosecondsSince1970
        changed = status.changed.nanosecondsSince1970
        mode = status.mode
    }
}

extension CopyManifest.File {
    fileprivate init(_ name: FileName, _ status: FileStatus, of original: CopiedFile?) {
        self.name = name
        inode = status.identity.inode
        size = status.size
        modified = status.modified.nanosecondsSince1970
        mode = status.mode
        source = original.map { .init($0.original) }
    }

    /// Whether the file with this status is still the one that was made for the copy.
    func isUnchanged(_ status: FileStatus) -> Bool {
        status.kind == .file && status.identity.inode == inode && status.size == size
            && status.modified.nanosecondsSince1970 == modified && status.mode == mode
    }
}
