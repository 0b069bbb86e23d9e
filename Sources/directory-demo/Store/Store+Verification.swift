import Directory

extension Store {
    /// Verifies the projects, their photos and their notes.
    ///
    /// - Returns: The findings; the first error of a collection that cannot be read, or of the history
    ///   of changes; and what the history keeps without a record. What else can be read is verified
    ///   nevertheless.
    func verify() throws -> (
        findings: [Finding], failure: (any Error)?, unrecorded: [History.Unrecorded]
    ) {
        var findings = try waiting { try projects.verify() }
        var failure = forEachProject { project in
            let (photos, notes) = try (open(.photos, of: project), open(.notes, of: project))
            findings += try waiting { try photos.verify() }
            findings += try waiting { try notes.verify() }
        }
        var unrecorded: [History.Unrecorded] = []
        do {
            unrecorded = try History(of: self).unrecorded()
        } catch {
            failure = failure ?? error
        }
        return (findings, failure, unrecorded)
    }

    /// Repairs what ``verify()`` finds, in each collection that can be read.
    ///
    /// - Parameter show: Called with each repair.
    /// - Throws: The error of the projects; what else fails, the next ``verify()`` reports.
    func repair(_ show: (Repair) -> Void) throws {
        try waiting { try projects.repair() }.forEach(show)
        _ = forEachProject { project in
            let (photos, notes) = try (open(.photos, of: project), open(.notes, of: project))
            try waiting { try photos.repair() }.forEach(show)
            try waiting { try photos.checkpoint() }
            try waiting { try notes.repair() }.forEach(show)
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
