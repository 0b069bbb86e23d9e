import Foundation

/// Positions are those in the items that the collection shows when a call begins. Other threads and processes can add,
/// remove or move items before the call has the lock; so the calls find the items by their ids, not by their
/// positions.
extension Directory {
    /// The ids of the items at `offsets` of `items`.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange`.
    func ids(at offsets: IndexSet, in items: Items, _ operation: String) throws -> [Item.ID] {
        guard offsets.allSatisfy(items.indices.contains) else {
            throw DirectoryError(
                .indexOutOfRange, operation, url,
                "a position is not below the count, \(items.count)")
        }
        return offsets.map { items[$0].id }
    }

    /// The id of the item at `index` of `items`; nil if `index` is the end.
    ///
    /// - Throws: ``DirectoryError`` with `indexOutOfRange`.
    func id(at index: Int, in items: Items, _ operation: String) throws -> Item.ID? {
        guard (0...items.count).contains(index) else {
            throw DirectoryError(
                .indexOutOfRange, operation, url, "\(index) is not from 0 to \(items.count)")
        }
        return index == items.count ? nil : items[index].id
    }
}
