extension Directory {
    /// Transfers the items with `ids`, in this order, with everything that they own, to the end of
    /// `other`.
    func transferItems(
        _ ids: [Item.ID], to other: Directory<Item>, _ change: ((inout Item) throws -> Void)?
    ) throws {
        let request = CommitRequest(durability: .durable, operation: "transfer items from")
        try core.refuseInsideAnyWrite(request.operation)
        guard core !== other.core, !ids.isEmpty else { return }
        core.commitEdits()
        try core.store.volume?.count(.change, request.operation, url)
        try core.describing(request.operation) {
            try other.core.noticingRemoval {
                try core.write(request) { draft in
                    try draft.transfer(
                        ids.map { IDElement<Item>($0).id }, to: other.core,
                        coding.changing(request.operation, change))
                }
            }
        }
    }
}
