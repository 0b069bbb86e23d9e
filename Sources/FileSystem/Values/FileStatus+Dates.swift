package import Foundation

extension FileStatus {
    /// The time of the last write.
    package var modificationDate: Date { Date(modified) }

    /// When the file was made; nil if the volume does not know.
    package var creationDate: Date? { created.map(Date.init) }
}
