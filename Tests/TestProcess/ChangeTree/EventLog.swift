import Directory
import Foundation
import StoreModel

/// What one process does: a line before each change and a line after it.
///
/// A line begins with the time in nanoseconds, which is the same clock in all processes.
struct EventLog {
    private let file: FileHandle

    init(at path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown) }
        file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// Calls `body`, which makes the changes `events` together.
    func record<Result>(_ events: [String], body: () throws -> Result) throws -> Result {
        let event = events.joined(separator: "; ")
        try write("begin \(event)")
        do {
            let result = try body()
            try write("done \(event)")
            return result
        } catch let error as DirectoryError {
            try write("failed \(error.code) \(event)")
            throw error
        } catch let error as Refusal {
            // Something is no longer where the process looked for it.
            try write("failed itemNotFound \(event)")
            throw error
        }
    }

    private func write(_ line: String) throws {
        let time = DispatchTime.now().uptimeNanoseconds
        try file.write(contentsOf: Data("\(time) \(line)\n".utf8))
    }
}
