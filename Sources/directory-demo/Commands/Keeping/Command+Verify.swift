import Directory
import Foundation

extension Command {
    static let verify = Command(
        "verify", "[DIR]", options: [.repair, .json], needs: .unreadStore,
        "Compare indexes with files, and repair them.",
        """
        A repair deletes no bytes: what belongs nowhere is set aside. With DIR, the
        collections of any app in DIR and in the folders below it are looked at, and
        nothing is changed. Nobody knows the types of their items then, so who owns
        which file is not compared. Hidden folders are left out.
        """
    ) { call in
        let path = call.operands.first
        if path != nil, let option = [Option.repair, .store].first(where: call.has) {
            throw Failure(.usage, "verify of a folder has no option \(option.name)", hint: hint)
        }
        // Without DIR, the store must be there, and is read.
        let store = try path == nil ? Store(at: call.options[.store], .store) : call.store
        let repairs = try call.has(.repair) ? store.repair() : nil
        let folder = path.map { URL(filePath: $0, directoryHint: .isDirectory).absoluteURL }
        let (findings, failures) =
            try folder.map { (try Directory.verify(below: $0), []) } ?? store.verify()
        if !call.has(.json) {
            for repair in repairs ?? [] {
                printLine(repair.finding)
                print("  \("✓".styled(.green)) \(repair.action.printable)")
            }
            findings.forEach(printLine)
        } else if let repairs {
            try Terminal.printJSON(Record(repairs: repairs, findings: findings))
        } else {
            try Terminal.printJSON(findings)
        }
        let count = findings.count.of("problem")
        try Failure.check(failures + (findings.isEmpty ? [] : [Failure("verify found \(count)")]))
        if !call.has(.json) {
            let success =
                path.map { "No problem was found below \($0)" } ?? "The indexes and the files agree"
            print("\("✓".styled(.green)) \(success.printable)")
        }
    }

    /// The output of `verify --repair --json`: the repairs, and the problems that are left.
    private struct Record: Encodable {
        let repairs: [Repair]
        let findings: [Finding]
    }

    private static func printLine(_ finding: Finding) {
        print("\("✗".styled(.red)) \(finding.message.printable): \(finding.path.styled(.blue))")
    }
}

extension Store {
    /// Verifies the projects, their photos and their notes.
    ///
    /// - Returns: The findings, and a failure for each project that cannot be read. All others are verified
    ///   nevertheless.
    func verify() throws -> (findings: [Finding], failures: [Failure]) {
        var findings = try projects.verify()
        let (_, failures) = forEachProject { project in
            findings += try open(.photos, of: project).verify()
            findings += try open(.notes, of: project).verify()
        }
        return (findings, failures)
    }

    /// Repairs the findings of ``verify()``, in each collection that can be read.
    ///
    /// - Throws: The error of the projects; the next ``verify()`` reports all others.
    fileprivate func repair() throws -> [Repair] {
        var repairs = try projects.repair()
        _ = forEachProject { project in
            repairs += try open(.photos, of: project).changing { try $0.repair() }
            repairs += try open(.notes, of: project).repair()
        }
        return repairs
    }
}
