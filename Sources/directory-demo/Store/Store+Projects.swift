import Directory

extension Store {
    /// Calls `body` with each project, also after it has failed for another one.
    ///
    /// - Returns: The results of `body` in the order of the projects, and a failure for each other project.
    func forEachProject<Result>(
        _ body: (Project) throws -> Result
    ) -> (results: [Result], failures: [Failure]) {
        var results: [Result] = []
        var failures: [Failure] = []
        for project in projects.items {
            do {
                results.append(try body(project))
            } catch {
                failures.append(Failure(error).of(project))
            }
        }
        return (results, failures)
    }
}

extension Failure {
    /// The failure with the name of `project` in its message.
    fileprivate func of(_ project: Project) -> Failure {
        Failure(code, "project \(project.name): \(message)", hint: hint)
    }
}
