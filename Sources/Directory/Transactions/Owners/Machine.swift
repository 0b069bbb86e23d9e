import FileSystem
import Foundation

/// The computer that this process runs on.
///
/// If several computers share a folder, each knows its own unfinished changes by this name. It is a checksum of the
/// identifier that the system has for the machine, because machine-id(5) asks to keep that confidential.
enum Machine {
    /// Eight hexadecimal digits, the same after each start of the system.
    static let current = name.map { CRC32.checksum(of: $0).hexadecimal } ?? unknown

    /// The name of a machine for which the system has no identifier.
    static let unknown = "unknown"

    /// Whether `text` has the form of a known machine's name.
    static func isKnown(_ text: some StringProtocol) -> Bool {
        text.count == 8 && text.allSatisfy(\.isHexDigit)
    }

    private static var name: [UInt8]? {
        #if os(Linux)
            let text = try? String(contentsOfFile: "/etc/machine-id", encoding: .utf8)
            let name = text?.split(whereSeparator: \.isWhitespace).first ?? ""
            // systemd writes "uninitialized" before the first start.
            return name.isEmpty || name == "uninitialized" ? nil : Array(name.utf8)
        #elseif os(macOS)
            // gethostuuid(2)
            var (name, wait) = ([UInt8](repeating: 0, count: 16), timespec())
            return gethostuuid(&name, &wait) == 0 ? name : nil
        #else
            return nil
        #endif
    }
}

extension IndexFolder {
    /// Whether another machine began the transaction with this intent: only that machine knows whether the
    /// change goes on.
    func isOfOtherMachine(_ intent: Intent) -> Bool {
        intent.machine.map(isOther) == true
    }

    /// Whether `machine` is not the one that this process runs on.
    func isOther(_ machine: String) -> Bool { machine != options.machine }

    /// The error for an unfinished transaction of another machine, during which the index cannot be changed; `name` is that
    /// of the transaction's folder, nil for a write to several collections.
    func isUnfinished(_ name: FileName?, of machine: String) -> UnendableTransaction {
        let own = try? name.map { try openFolder($0, in: IndexNames.staging) } ?? handle
        let began = own.flatMap { own in
            try? fileSystem.status(of: name == nil ? names.journal : Intent.fileName, in: own)
        }
        let date = began.map { " at \($0.modificationDate.formatted(.iso8601))" } ?? ""
        return UnendableTransaction(
            error: DirectoryError(
                .locked, "change", indexURL,
                "a change that the machine \(machine) began\(date) is not finished",
                remedy: "Try again when it is; if that machine will not go on, call repair().",
                people: .init(
                    reason: "another computer has begun to change it, and has not finished",
                    remedy: "Wait for that computer; if it will not go on, repair the collection.")),
            isMissing: true)
    }
}
