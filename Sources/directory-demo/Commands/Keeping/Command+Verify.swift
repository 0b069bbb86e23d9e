import Directory
import Foundation

extension Command {
    @Sendable static func verify(_ call: Call) throws {
        if let folder = call.operands.first { return try verify(below: folder, call) }
        try call.store.check(.store)
        let isJSON = call.has(.json)
        let isRepair = call.has(.repair)
        var repairs: [Repair] = []
        var setAside: [String] = []
        if isRepair {
            try call.store.repair { repair in
                repairs.append(repair)
                if !isJSON { show(repair) }
            }
            try History(of: call.store).setAsideDamage { file, name in
                setAside.append(file.path(percentEncoded: false))
                if !isJSON { showDamage(of: file, named: name) }
            }
        }
        var (findings, failures) = try call.store.verify()
        switch (isJSON, isRepair) {
        case (false, _): findings.forEach(show)
        case (true, false): try Terminal.printJSON(findings)
        case (true, true):
            try Terminal.printJSON(
                Record(repairs: repairs, setAside: setAside, findings: findings))
        }
        if !findings.isEmpty {
            failures.append(Failure(.operation, "verify found \(findings.count.of("problem"))"))
        }
        try Failures.check(failures)
        if !isJSON { print("\("✓".styled(.green)) The indexes and the files agree") }
    }

    /// Verifies the collections of any app below a folder.
    private static func verify(below path: String, _ call: Call) throws {
        if let option = [Option.repair, .store].first(where: call.has) {
            throw Failure(
                .usage, "verify of a folder has no option \(option.name)", hint: hint)
        }
        let folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
        let findings = try Directory.verify(below: folder)
        if call.has(.json) { try Terminal.printJSON(findings) } else { findings.forEach(show) }
        if !findings.isEmpty {
            throw Failure(.operation, "verify found \(findings.count.of("problem"))")
        }
        if !call.has(.json) {
            print("\("✓".styled(.green)) No problem was found below \(path.printable)")
        }
    }

    /// What `verify --repair --json` prints: the repairs, and the problems that are left.
    private struct Record: Encodable {
        let repairs: [Repair]
        /// The paths that damaged files of the history of changes had.
        let setAside: [String]
        let findings: [Finding]
    }

    private static func show(_ finding: Finding) {
        print("\("✗".styled(.red)) \(finding.message.printable): \(finding.path.styled(.blue))")
    }

    private static func showDamage(of file: URL, named name: String) {
        let path = file.path(percentEncoded: false)
        print("\("✗".styled(.red)) The history of changes is damaged: \(path.styled(.blue))")
        print("  \("✓".styled(.green)) It was set aside as \(name.printable)")
    }

    private static func show(_ repair: Repair) {
        show(repair.finding)
        print("  \("✓".styled(.green)) \(repair.action.printable)")
    }
}
