import Foundation

/// One of the programs.
@MainActor protocol Command {
    /// The name of the command and a word for each of its arguments.
    static var usage: String { get }

    /// Runs the command with as many arguments as `usage` names.
    static func run(_ arguments: [String]) async throws
}

extension Command {
    /// Prints a number, which the test gets.
    nonisolated static func report(_ number: Int) throws {
        try FileHandle.standardOutput.write(contentsOf: Data("\(number)\n".utf8))
    }
}
