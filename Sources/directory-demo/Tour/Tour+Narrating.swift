import Directory
import Foundation

// A step of the tour is a title, the code that a user writes, and the results.
extension Tour {
    /// Begins a step: prints its title and its code.
    func step(_ title: String, _ code: String) {
        stepCount += 1
        print("\n\("\(stepCount)".rightAligned(to: 2).styled(.dim))  \(title.styled(.title))\n")
        for line in code.split(separator: "\n") { print("      \(String(line).styled(.blue))") }
        print("")
    }

    /// Prints a result.
    func say(_ text: String) { print("    \(text.printable)") }

    /// Prints a statement that is true.
    ///
    /// - Throws: ``Failure`` if it is false.
    func check(_ text: String, _ isTrue: Bool) throws {
        guard isTrue else { throw Failure("the tour found this to be false: \(text)") }
        print("    \("✓".styled(.green)) \(text.printable)")
    }

    /// Prints the lines of a file.
    func show(_ file: URL) throws {
        print("    \(file.pathComponents.suffix(2).joined(separator: "/").styled(.bold))")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for line in lines { print("    \(String(line).styled(.dim))") }
    }

    /// Runs a call that must fail with an error of `code`, and prints the error.
    ///
    /// - Throws: ``Failure`` if there is no error; an error with another code.
    func checkFails(
        _ text: String, with code: DirectoryError.Code, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as DirectoryError where error.code == code {
            print("    \("✗".styled(.red)) \(text.printable): \(code.rawValue.styled(.bold))")
            return print("      \(error.reason.styled(.dim))")
        }
        throw didNotFail(text)
    }

    /// Checks that `body` is cancelled.
    func checkIsCancelled(_ text: String, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch is CancellationError {
            let error = "CancellationError".styled(.bold)
            return print("    \("✗".styled(.red)) \(text.printable): \(error)")
        }
        throw didNotFail(text)
    }

    private func didNotFail(_ text: String) -> Failure {
        Failure("the tour found that this did not fail: \(text)")
    }
}
