package import Foundation

extension FileManager {
    /// Sets the modification date of a file or folder to `age` seconds ago, rounded down to a whole second.
    ///
    /// On Linux, Foundation refuses a date that is less than a microsecond before a whole second.
    package func setAge(_ age: TimeInterval, ofItemAtPath path: String) throws {
        let seconds = (Date.now.timeIntervalSinceReferenceDate - age).rounded(.down)
        try setAttributes(
            [.modificationDate: Date(timeIntervalSinceReferenceDate: seconds)], ofItemAtPath: path)
    }
}
