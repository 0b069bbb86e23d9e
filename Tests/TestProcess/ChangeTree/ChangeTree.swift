import Directory
import Foundation

/// Changes a tree of collections at random until the file STOP exists, and writes to LOG what it is
/// about to do and what it has done.
///
/// It ends with 3, and a line on standard error, if the library fails in a way that other processes
/// do not explain.
enum ChangeTree: Command {
    static let usage = "change-tree FOLDER LOG STOP NUMBER SEED"

    static func run(_ arguments: [String]) {
        let parent = getppid()
        do {
            let log = try EventLog(at: arguments[1])
            let writer = try TreeWriter(
                at: URL(filePath: arguments[0], directoryHint: .isDirectory), log,
                number: Int(arguments[3]) ?? 0, seed: UInt64(arguments[4]) ?? 0)
            // The process that started this one may have been killed.
            while access(arguments[2], F_OK) != 0, getppid() == parent { try writer.step() }
        } catch {
            let cause = (error as? DirectoryError)?.underlying.map { "; \($0)" } ?? ""
            FileHandle.standardError.write(Data("\(error)\(cause)\n".utf8))
            exit(3)
        }
    }
}
