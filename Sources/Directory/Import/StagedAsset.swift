import FileSystem
public import Foundation

/// A file that waits to be inserted into a collection.
///
/// A ``Stage`` makes staged files in its folder. A staged file can also be made in the system's
/// temporary folder, before any collection exists:
///
///     let staged = try StagedAsset(jpegData, name: "moon.jpg")
///     let photo = try photos.insert(staged)
///
/// If it is never inserted, ``discard()`` removes it; otherwise the system removes it at some time.
public struct StagedAsset: Hashable, Sendable {
    /// The URL of the file until it is inserted.
    public let url: URL
    /// The original name of the file; empty for data without a name.
    public let name: String
    /// The size in bytes.
    public let byteCount: Int
    /// When the source was last modified, or when the data was staged.
    public let date: Date
    /// The extension of ``name``, or else the usual one for the first bytes of the file; lower
    /// case, without a dot.
    public let fileExtension: String
    /// The name of the file in its stage.
    let file: FileName
    /// The source of a moved file, to remove after the insert; nil for a copy.
    let source: SourceFile?

    init(
        in folder: Handle, _ file: FileName, name: String, byteCount: Int, date: Date,
        head: some Collection<UInt8>, source: SourceFile? = nil
    ) {
        url = folder.url(of: file)
        self.file = file
        self.name = name
        self.byteCount = byteCount
        self.date = date
        self.source = source
        fileExtension = Self.fileExtension(of: name) ?? FileKind.fileExtension(of: head)
    }

    /// The extension that a file with the original name `name` keeps; nil if it has no usable one.
    static func fileExtension(of name: String) -> String? {
        // Foundation for Linux traps if a character beyond ASCII follows two slashes.
        let component = name.split(separator: "/").last.map(String.init) ?? ""
        let known = (component as NSString).pathExtension.lowercased()
        let isUsable = FileName("a.\(known)") != nil && known.utf8.count <= 16
        return !known.isEmpty && isUsable ? known : nil
    }

    /// The usual file name of an item with this file: the item's id and the extension, such as
    /// `17.jpg`.
    ///
    ///     struct Recording: Asset {
    ///         let id: UUID
    ///         let fileName: String
    ///         var title = ""
    ///
    ///         init(_ staged: StagedAsset) {
    ///             id = UUID()
    ///             fileName = staged.fileName(for: id)
    ///         }
    ///     }
    ///
    /// - Parameter id: The id of the item, whose description must be valid in a file name.
    /// - Returns: The name, which the item has to keep as long as it has this file; without a dot
    ///   if there is no extension.
    public func fileName(for id: some Hashable) -> String {
        fileExtension.isEmpty ? "\(id)" : "\(id).\(fileExtension)"
    }

    /// A file name for this file when it replaces the file `old` of the same item, such as
    /// `moon-2.jpg`.
    ///
    /// It is `old` with the next number and the extension of this file. It differs from `old`,
    /// because both files exist until the commit.
    public func fileName(replacing old: String) -> String {
        let dot = old.lastIndex(of: ".") ?? old.endIndex
        let base = dot == old.startIndex ? old[...] : old[..<dot]
        let parts = base.split(separator: "-", omittingEmptySubsequences: false)
        // More digits belong to an id.
        let number = parts.count > 1 ? parts.last.flatMap { $0.count < 4 ? Int($0) : nil } : nil
        let stem = number == nil ? String(base) : parts.dropLast().joined(separator: "-")
        return fileName(for: "\(stem)-\((number ?? 1) + 1)")
    }

    /// Writes `data` to a new file in the system's temporary folder.
    ///
    /// - Parameters:
    ///   - data: The bytes of the file.
    ///   - name: The original name, whose extension the file keeps.
    /// - Throws: ``DirectoryError`` with `noSpace`, `accessDenied` or `ioFailure`.
    public init(_ data: Data, name: String = "") throws {
        let fileSystem = LocalFileSystem()
        let folder = UserFolder.temporary.url
        self = try DirectoryError.describing("write a temporary file to", folder) {
            let handle = try fileSystem.openFolder(at: folder.path(percentEncoded: false))
            let file = try FileName(validating: "staged-\(UUID().uuidString)")
            try fileSystem.makeFile(file, in: handle, mode: 0o600, with: data)
            return StagedAsset(
                in: handle, file, name: name, byteCount: data.count, date: Date(), head: data)
        }
    }

    /// Removes the staged file; its source stays.
    public func discard() throws {
        try naming {
            try DirectoryError.describing("discard", url) {
                let fileSystem = LocalFileSystem()
                _ = try fileSystem.unlessMissing {
                    try fileSystem.removeFile(file, in: fileSystem.openParent(of: url))
                }
            }
        }
    }
}

extension StagedAsset {
    /// The name of the file for people: `file` is a number.
    var knownName: String { name.isEmpty ? "unnamed file" : name }

    /// The result of `body`; errors about the staged file have the name that people know.
    func naming<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DirectoryError where error.url == url {
            throw error.naming(knownName)
        }
    }
}

/// Kinds of files, recognised by their first bytes.
enum FileKind {
    /// How many first bytes are enough to recognise every kind.
    static let headCount = 16

    private static let signatures: [(fileExtension: String, offset: Int, bytes: [UInt8])] = [
        ("jpg", 0, [0xFF, 0xD8, 0xFF]),
        ("png", 0, [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]),
        ("gif", 0, Array("GIF8".utf8)),
        ("webp", 8, Array("WEBP".utf8)),
        ("heic", 4, Array("ftypheic".utf8)),
        ("tiff", 0, [0x49, 0x49, 0x2A, 0x00]),
        ("tiff", 0, [0x4D, 0x4D, 0x00, 0x2A]),
        ("pdf", 0, Array("%PDF".utf8)),
        ("mp4", 4, Array("ftypisom".utf8)),
    ]

    /// The usual extension of a file that begins with `head`; empty if the kind is unknown.
    static func fileExtension(of head: some Collection<UInt8>) -> String {
        let match = signatures.first { head.dropFirst($0.offset).starts(with: $0.bytes) }
        return match?.fileExtension ?? ""
    }
}
