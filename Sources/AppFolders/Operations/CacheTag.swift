import FileSystem
import Foundation

/// The file of the Cache Directory Tagging Specification, <https://bford.info/cachedir/>, which
/// tells backup tools to leave out its folder.
enum CacheTag {
    static let fileName: FileName = "CACHEDIR.TAG"

    /// The text that a tag begins with.
    static let signature = "Signature: 8a477f597d28d172789f06886806bc55"

    private static let contents = """
        \(signature)
        # Backups leave out this folder, because its app can make its files again.
        # See https://bford.info/cachedir/

        """

    static func write(in folder: URL) throws {
        let file = folder.appending(component: fileName.string, directoryHint: .notDirectory)
        switch try type(of: file) {
        case nil:
            // Atomic, so that no backup tool reads half a signature.
            try Data(contents.utf8).write(to: file, options: .atomic)
        case .typeRegular where try Data(contentsOf: file).starts(with: signature.utf8):
            return
        default:
            throw AppFolderError(
                .inTheWay, at: file,
                "Cannot write the tag \(file.filePath): "
                    + "another file has its name; move it away.")
        }
    }

    private static func type(of file: URL) throws -> FileAttributeType? {
        do {
            let path = file.filePath
            return try FileManager.default.attributesOfItem(atPath: path)[.type]
                as? FileAttributeType
        } catch CocoaError.fileReadNoSuchFile {
            return nil
        }
    }
}
