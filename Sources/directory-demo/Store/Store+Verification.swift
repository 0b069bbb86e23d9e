import Directory

extension Store {
    /// Verifies the projects, their photos and their notes.
    ///
    /// - Returns: The findings, and a failure for each project, or the history of changes, that cannot be read. All
    ///   others are verified nevertheless.
    func verify() throws -> (findings: [Finding], failures: [Failure]) {
        var findings = try waiting { try projects.verify() }
        var (_, failures) = forEachProject { project in
            let (photos, notes) = try (open(.photos, of: project), open(.notes, of: project))
            findings += try waiting { try photos.verify() }
            findings += try waiting { try notes.verify() }
        }
        do {
            try History(of: self).load()
        } catch {
            failures.append(Failure(error))
        }
        return (findings, failures)
    }

    /// Repairs the findings of ``verify()``, in each collection that can be read.
    ///
    /// - Throws: The error of the projects; the next ``verify()`` reports all others.
    func repair() throws -> [Repair] {
        var repairs = try waiting { try projects.repair() }
        _ = forEachProject { project in
            let (photos, notes) = try (open(.photos, of: project), open(.notes, of: project))
            repairs += try waiting { try photos.repair() }
            try waiting { try photos.checkpoint() }
            repairs += try waiting { try notes.repair() }
        }
        return repairs
    }
}
