import Foundation

/// Positions are those of the items that the collection shows when a call begins. By the time that it has the
/// lock, others may have added, removed or moved items; so the ids of the items go on, not their positions.
extension Directory {
    /// The ids of the items at `offsets` of `items`.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange`.
    func ids(at offsets: IndexSet, in items: Items, _ operation: String) throws -> [Item.ID] {
        guard offsets.allSatisfy(items.indices.contains) else {
            throw DirectoryError(
                .indexOutOfRange, operation, url,
                "a position is not below the count, \(items.count)", people: .noSuchPosition)
        }
        return offsets.map { items[$0].id }
    }

    /// The id of the item at `index` of `items`; nil for the end.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange`.
    func id(at index: Int, in items: Items, _ operation: String) throws -> Item.ID? {
        guard (0...items.count).contains(index) else {
            throw DirectoryError(
                .indexOutOfRange, operation, url, "\(index) is not from 0 to \(items.count)",
                people: .noSuchPosition)
        }
        return index == items.count ? nil : items[index].id
    }
}
