import Directory

extension Command {
    static let verify = Command(
        name: "verify", operands: "", flags: [.repair, .json],
        summary: "Compare indexes with files, and repair them."
    ) { call in
        let isJSON = call.flags.contains(.json)
        let isRepair = call.flags.contains(.repair)
        var repairs: [Repair] = []
        if isRepair {
            try call.store.repair { repair in
                repairs.append(repair)
                if !isJSON { show(repair) }
            }
        }
        let (findings, failure) = try call.store.verify()
        switch (isJSON, isRepair) {
        case (false, _): findings.forEach(show)
        case (true, false): try Terminal.printJSON(findings)
        case (true, true): try Terminal.printJSON(Record(repairs: repairs, findings: findings))
        }
        if let failure { throw failure }
        guard findings.isEmpty else {
            throw Failure(.operation, "verify found \(findings.count.of("problem"))")
        }
        if !isJSON { print("\("✓".styled(.green)) The indexes and the files agree") }
    }

    /// What `verify --repair --json` prints: the repairs, and the problems that are left.
    private struct Record: Encodable {
        let repairs: [Repair]
        let findings: [Finding]
    }

    private static func show(_ finding: Finding) {
        print("\("✗".styled(.red)) \(finding.message.printable): \(finding.path.styled(.blue))")
    }

    private static func show(_ repair: Repair) {
        show(repair.finding)
        print("  \("✓".styled(.green)) \(repair.action.printable)")
    }
}
