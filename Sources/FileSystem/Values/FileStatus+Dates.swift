package import Foundation

extension FileStatus {
    /// The time of the last write.
    package var modificationDate: Date { Date(nanosecondsSince1970: modified) }

    /// When the file was made; nil if the volume does not know.
    package var creationDate: Date? { created.map(Date.init(nanosecondsSince1970:)) }
}

extension Date {
    /// The date `nanoseconds` after the beginning of 1970.
    fileprivate init(nanosecondsSince1970 nanoseconds: Int) {
        self.init(timeIntervalSince1970: Double(nanoseconds) / 1e9)
    }

    /// The nanoseconds since the beginning of 1970, as ``FileStatus`` counts them.
    package var nanosecondsSince1970: Int { Int(timeIntervalSince1970 * 1e9) }
}
