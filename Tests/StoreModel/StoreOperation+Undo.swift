import Directory

extension StoreOperation {
    /// An operation that can be taken back, or made again.
    struct Taken: Hashable, Sendable {
        var operation: StoreOperation
        /// What it, or the undo of it, took the place of.
        var before: StoreContents
        var isUndone = false
    }

    /// The operations that a store with an undo limit takes back.
    package static let undoable: [StoreOperation] = [
        .removeNote, .insertBox, .renameBox, .removeBox, .severalChanges, .importTwoPhotos,
        .removePhoto, .replaceAndImport,
    ]

    /// What an undo or a redo makes of `contents`.
    func takingBack(_ contents: StoreContents) -> StoreContents? {
        guard let taken = contents.taken.first else { return nil }
        var next = taken.before
        next.lastNumber = contents.lastNumber
        var before = contents
        before.taken = []
        next.taken = [
            Taken(operation: taken.operation, before: before, isUndone: !taken.isUndone)
        ]
        return next
    }

    func takeBack(in store: Store, _ contents: StoreContents) throws {
        guard let taken = contents.taken.first else { return }
        func takeBack(_ collection: Directory<some Any>) throws {
            _ = try self == .undo ? collection.undo() : collection.redo()
        }
        switch taken.operation {
        case .removeNote: try takeBack(store.notes)
        case .insertBox, .renameBox, .removeBox, .severalChanges: try takeBack(store.boxes)
        default:
            // Both states have the same boxes.
            let changed = zip(contents.boxes, taken.before.boxes).first { $0 != $1 }
            if let box = changed?.0.box { try takeBack(store.album(of: box)) }
        }
    }
}
