import Directory
import Foundation

extension Command {
    @Sendable static func verify(_ call: Call) throws {
        if let folder = call.operands.first { return try verify(below: folder, call) }
        try call.store.check(.store)
        let (isJSON, isRepair) = (call.has(.json), call.has(.repair))
        let repairs = isRepair ? try call.store.repair() : []
        if !isJSON { repairs.forEach(show) }
        let damaged = isRepair ? try History(of: call.store).setAsideDamage() : []
        if !isJSON { damaged.forEach(show) }
        var (findings, failures) = try call.store.verify()
        if isJSON, isRepair {
            try Terminal.printJSON(
                Record(
                    repairs: repairs, setAside: damaged.map { $0.file.path(percentEncoded: false) },
                    findings: findings))
        } else {
            try show(findings, call)
        }
        if !findings.isEmpty { failures.append(failure(of: findings)) }
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
        try show(findings, call)
        if !findings.isEmpty { throw failure(of: findings) }
        if !call.has(.json) {
            print("\("✓".styled(.green)) No problem was found below \(path.printable)")
        }
    }

    private static func failure(of findings: [Finding]) -> Failure {
        Failure("verify found \(findings.count.of("problem"))")
    }

    /// The output of `verify --repair --json`: the repairs, and the problems that are left.
    private struct Record: Encodable {
        let repairs: [Repair]
        /// The paths that damaged files of the history of changes had.
        let setAside: [String]
        let findings: [Finding]
    }

    private static func show(_ findings: [Finding], _ call: Call) throws {
        if call.has(.json) { try Terminal.printJSON(findings) } else { findings.forEach(show) }
    }

    private static func show(_ finding: Finding) {
        print("\("✗".styled(.red)) \(finding.message.printable): \(finding.path.styled(.blue))")
    }

    private static func show(_ repair: Repair) {
        show(repair.finding)
        print("  \("✓".styled(.green)) \(repair.action.printable)")
    }

    /// Shows a file of the history that was damaged and has another name now.
    private static func show(_ damaged: URL, _ newName: String) {
        let path = damaged.path(percentEncoded: false)
        print("\("✗".styled(.red)) The history of changes is damaged: \(path.styled(.blue))")
        print("  \("✓".styled(.green)) It was set aside as \(newName.printable)")
    }
}
