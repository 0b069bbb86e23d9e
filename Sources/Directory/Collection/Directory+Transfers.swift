import FileSystem

extension Directory {
    /// Transfers the items with `ids`, in this order, and all they own to the end of `other`.
    func transferItems(_ ids: [Item.ID], to other: Directory<Item>) throws {
        let (core, otherCore) = (core, other.core)
        try core.refuseInsideAnyWrite("transfer items from")
        guard core !== otherCore, !ids.isEmpty else { return }
        core.commitEdits()
        try core.store.volume?.count(.change, "transfer items from", url)
        try core.describing("transfer items from") {
            try otherCore.noticingRemoval {
                try core.store.options.retryingWhileBusy {
                    try core.transfer(ids, to: otherCore)
                }
            }
        }
    }
}

extension Core {
    /// Transfers items once both folders were found and both indexes are locked.
    fileprivate func transfer(_ ids: [Item.ID], to other: Core) throws {
        guard let folder = try openFolder(making: true),
            let otherFolder = try other.openFolder(making: true)
        else { throw folderIsMissing }
        try withLock(in: folder, and: other, in: otherFolder) { source, target in
            let transfer = Transfer(
                source: source, target: target, transaction: RandomName.digits())
            try transfer.run(ids)
        }
    }
}
