import Directory
import Foundation
import StoreModel

/// Begins a write that appends a note to each of some boxes, and ends it after a line on standard input.
///
/// It prints a number when it has all locks: 0 if CHILD is `none`, or the identifier of a process that it started
/// then, a `program` or only a `fork`. After the write it prints -1; the next line, or the end of the input, ends the
/// program.
enum HoldBoxes: Command {
    static let usage = "hold-boxes FOLDER INDEX IDS CHILD"

    static func run(_ arguments: [String]) throws {
        let boxes = try Directory<Box>(
            at: URL(filePath: arguments[0], directoryHint: .isDirectory), index: arguments[1])
        try boxes.write { draft in
            for id in arguments[2].split(separator: ",").compactMap({ Int($0) }) {
                try draft.write(.notes, of: id) { try $0.append(Note(id: 50, title: "Held")) }
            }
            try report(child(arguments[3]))
            _ = readLine()
        }
        try report(-1)
        _ = readLine()
    }

    private static func child(_ kind: String) throws -> Int {
        switch kind {
        case "program": return try start("sleep 60")
        #if os(Linux)
            case "fork":
                let id = fork()
                // It must not keep the output open, whose end the test waits for.
                if id == 0 { for file in 0...2 { close(Int32(file)) } }
                while id == 0 { pause() }
                return Int(id)
        #endif
        default: return 0
        }
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
