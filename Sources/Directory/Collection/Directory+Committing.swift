extension Directory {
    /// Commits the change that `body` makes to a draft of the newest elements.
    func commitChange(_ body: (inout ElementDraft) throws -> Void) throws {
        try core.commit(CommitRequest(durability: durability, operation: "change"), body)
    }

    /// The result of `body` for a draft of the newest state, which is then committed.
    func commit<Result>(
        _ request: CommitRequest, _ body: (inout Draft) throws -> Result
    ) throws -> Result {
        try core.commit(request) { base in try Draft.with(&base, body) }
    }

    /// The shown items, also after a failed load; loads them if no load has succeeded yet.
    func shownItems() throws -> Items {
        try core.loadIfNothingIsShown()
        return currentItems
    }
}
