import FileSystem
import Foundation

/// The mark of the Cache Directory Tagging Specification, <https://bford.info/cachedir/>.
enum CacheTag {
    static let fileName: FileName = "CACHEDIR.TAG"

    /// What a file has to start with to be a tag.
    static let signature = "Signature: 8a477f597d28d172789f06886806bc55"

    private static let contents = """
        \(signature)
        # Backups leave this folder out: its app can do without it, or make it again.
        # See https://bford.info/cachedir/

        """

    static func write(in folder: URL) throws {
        let file = folder.appending(component: fileName.string, directoryHint: .notDirectory)
        switch try type(of: file) {
        case nil:
            // Atomic, so that no backup ever reads half a signature.
            try Data(contents.utf8).write(to: file, options: .atomic)
        case .typeRegular where try Data(contentsOf: file).starts(with: signature.utf8):
            return
        default:
            throw AppFolderError(
                .inTheWay, at: file,
                "Cannot write the tag \(file.filePath): "
                    + "something else has its name; move it away.")
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
