import Directory
import Foundation

/// Makes a change, and says so if it waits for another process that changes the same index.
///
/// A change that finds the index locked changes nothing, so it can be made again.
///
/// - Throws: What `change` throws; `locked` after 30 times.
func waiting<Result>(_ change: () throws -> Result) throws -> Result {
    for attempt in 1..<30 {
        do {
            return try change()
        } catch let error as DirectoryError where error.code == .locked {
            guard attempt == 1 else { continue }
            let path = error.url.path(percentEncoded: false).printable
            Output.writeError("directory-demo: waiting for another process that changes \(path)\n")
        }
    }
    return try change()
}
