import FileSystem

extension Directory {
    /// Transfers the items with `ids`, in this order, and all they own to the end of `other`.
    func transferItems(_ ids: [Item.ID], to other: Directory<Item>) throws {
        let (core, otherCore) = (core, other.core)
        try core.refuseInsideAnyWrite("transfer items from")
        guard core !== otherCore, !ids.isEmpty else { return }
        try core.describing("transfer items from") {
            try core.store.options.retryingWhileBusy {
                guard let folder = try core.openFolder(making: true),
                    let otherFolder = try otherCore.openFolder(making: true)
                else { throw core.folderIsMissing }
                try core.withLock(in: folder, and: otherCore, in: otherFolder) { source, target in
                    let transfer = Transfer(
                        source: source, target: target, transaction: RandomName.digits())
                    try transfer.run(ids)
                }
            }
        }
    }
}
