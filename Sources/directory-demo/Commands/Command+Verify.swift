import Directory

extension Command {
    @Sendable static func verify(_ call: Call) throws {
        let isJSON = call.has(.json)
        let isRepair = call.has(.repair)
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
