import Directory
import Foundation
import StoreModel

/// Begins a write that appends a note to each of some boxes, and ends it after a line on standard input.
///
/// It prints a number when it has all locks: the identifier of a program that it started then and that runs
/// for SECONDS, or 0 if these are 0. After the write it prints -1; the next line, or the end of the input, ends
/// the program.
enum HoldBoxes: Command {
    static let usage = "hold-boxes FOLDER INDEX IDS SECONDS"

    static func run(_ arguments: [String]) throws {
        let boxes = try Directory<Box>(
            at: URL(filePath: arguments[0], directoryHint: .isDirectory), index: arguments[1])
        try boxes.write { draft in
            for id in arguments[2].split(separator: ",").compactMap({ Int($0) }) {
                try draft.write(.notes, of: id) { try $0.append(Note(id: 50, title: "Held")) }
            }
            try report(arguments[3] == "0" ? 0 : start("sleep \(arguments[3])"))
            _ = readLine()
        }
        try report(-1)
        _ = readLine()
    }

    /// Starts a program that gets the open files of this one which are not close-on-exec.
    ///
    /// `Process` closes all of them.
    private static func start(_ command: String) throws -> Int {
        #if os(Linux) || os(macOS)
            // It must not keep the output open, whose end the test waits for.
            let words = ["/bin/sh", "-c", "exec \(command) </dev/null >/dev/null 2>&1"]
            var arguments = words.map { strdup($0) } + [nil]
            defer { for argument in arguments { free(argument) } }
            var environment: [UnsafeMutablePointer<CChar>?] = [nil]
            var id = pid_t()
            let code = posix_spawn(&id, words[0], nil, nil, &arguments, &environment)
            guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
            return Int(id)
        #else
            return 0
        #endif
    }
}
