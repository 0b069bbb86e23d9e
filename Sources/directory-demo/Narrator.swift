import Directory
import Foundation

/// Tells the tour: what a step does, the lines of API that do it, and what came of it.
final class Narrator {
    private var stepCount = 0

    /// Begins a step.
    func step(_ title: String, _ code: String) {
        stepCount += 1
        print("\n\("\(stepCount)".rightAligned(to: 2).styled(.dim))  \(title.styled(.title))\n")
        for line in code.split(separator: "\n", omittingEmptySubsequences: false) {
            print("      \(String(line).styled(.blue))")
        }
        print("")
    }

    /// Says what can be seen.
    func say(_ text: String) {
        print("    \(text.printable)")
    }

    /// Says what was found to be as promised.
    ///
    /// - Throws: ``Failure`` if it was not.
    func check(_ text: String, _ isTrue: Bool) throws {
        guard isTrue else { throw Failure(.operation, "the tour found this to be wrong: \(text)") }
        print("    \("✓".styled(.green)) \(text.printable)")
    }

    /// Shows the lines of a file.
    func show(_ file: URL) throws {
        print("    \(file.pathComponents.suffix(2).joined(separator: "/").styled(.bold))")
        let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        for line in lines { print("    \(String(line).clipped(to: 84).styled(.dim))") }
    }

    /// Tries what must fail, and says how it did.
    ///
    /// - Throws: ``Failure`` if it did not, or with another code.
    func refuse(_ text: String, _ code: DirectoryError.Code, _ body: () throws -> Void) throws {
        do {
            try body()
        } catch let error as DirectoryError where error.code == code {
            print("    \("✗".styled(.red)) \(text.printable): \(code.rawValue.styled(.bold))")
            return print("      \(error.reason.printable)".clipped(to: 90).styled(.dim))
        }
        throw Failure(.operation, "the tour found that this did not fail: \(text)")
    }
}
