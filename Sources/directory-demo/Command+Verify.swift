import Directory

extension Command {
    static let verify = Command(
        name: "verify", operands: "", flags: [.repair, .json],
        summary: "Compare indexes and files, and put them right."
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

    /// What `verify --repair --json` prints: what was done, and what is wrong after that.
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

extension Store {
    /// What is wrong with the projects, their photos and their notes, and the first error where
    /// some of them cannot be read; the others are looked at all the same.
    func verify() throws -> (findings: [Finding], failure: (any Error)?) {
        var findings = try projects.verify()
        let failure = forEachProject { project in
            findings += try open(.photos, of: project).verify()
            findings += try open(.notes, of: project).verify()
        }
        return (findings, failure)
    }

    /// Puts right what ``verify()`` finds, wherever it can be read, and tells `show` of it.
    func repair(_ show: (Repair) -> Void) throws {
        try projects.repair().forEach(show)
        // What cannot be read is what verify reports next.
        _ = forEachProject { project in
            let photos = try open(.photos, of: project)
            try photos.repair().forEach(show)
            try photos.checkpoint()
            try open(.notes, of: project).repair().forEach(show)
        }
    }

    /// Calls `body` with each project, and returns the first error.
    private func forEachProject(_ body: (Project) throws -> Void) -> (any Error)? {
        var first: (any Error)?
        for project in projects.items {
            do { try body(project) } catch { first = first ?? error }
        }
        return first
    }
}
