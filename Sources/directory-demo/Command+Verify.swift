import Directory

extension Command {
    static let verify = Command(
        name: "verify", operands: "", flags: [.repair, .json],
        summary: "Compare indexes and files, and put them right."
    ) { call in
        let isJSON = call.flags.contains(.json)
        if call.flags.contains(.repair) {
            let repairs = try call.store.repair()
            if !isJSON { repairs.forEach(show) }
        }
        let findings = try call.store.verify()
        if isJSON {
            try Terminal.printJSON(findings)
        } else {
            findings.forEach(show)
        }
        guard findings.isEmpty else {
            throw Failure(.operation, "verify found \(findings.count.of("problem"))")
        }
        if !isJSON { print("\("✓".styled(.green)) The indexes and the files agree") }
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
    /// What is wrong with the projects, their photos and their notes.
    func verify() throws -> [Finding] {
        try projects.items.reduce(into: projects.verify()) { findings, project in
            findings += try open(.photos, of: project).verify()
            findings += try open(.notes, of: project).verify()
        }
    }

    /// Puts right what ``verify()`` finds.
    func repair() throws -> [Repair] {
        let repairs = try projects.repair()
        return try projects.items.reduce(into: repairs) { repairs, project in
            let photos = try open(.photos, of: project)
            repairs += try photos.repair()
            try photos.checkpoint()
            repairs += try open(.notes, of: project).repair()
        }
    }
}
