extension Directory {
    /// The result of `body` for a draft of the newest state, which is then committed.
    func commit<Result>(
        _ request: CommitRequest, _ body: (inout Draft) throws -> Result
    ) throws -> Result {
        var result: Result?
        try core.commit(request) { base in result = try Draft.with(&base, body) }
        // A commit that returns has called `body`.
        guard let result else { throw core.folderIsMissing }
        return result
    }

    /// The shown items, also after a failed load; loads them if no load has succeeded yet.
    func shownItems() throws -> Items {
        try core.loadIfNothingIsShown()
        return currentItems
    }
}
