public import Foundation
import FileSystem

extension Directory {
    /// An item that was removed or replaced recently, and that can be brought back.
    ///
    /// `recentlyRemoved()` lists such items.
    public struct RemovedItem: Identifiable, Sendable {
        /// The item as it was before the change.
        public let item: Item
        /// Identifies this removal; another removal of the same item has another id.
        public let id: RemovedItemID
        /// When the change was made.
        public let date: Date
        /// When the item is removed for good.
        public let expires: Date
        /// The position of the item before the change.
        public let position: Int
        /// Whether the item stayed in the collection, with another file, folder or value.
        public let isReplaced: Bool
        /// The size in bytes of the item's file, or of all files in its folder; 0 without access to the folder.
        public let byteCount: Int
        /// The item's file or folder; nil if it had none.
        ///
        /// Do not change it. The URL is valid until the item is brought back or removed for good.
        public let url: URL?

        init(_ removed: RemovedElement) {
            item = ItemElement<Item>.of(removed.element).item
            (id, position, isReplaced) = (removed.id, removed.position, removed.isReplaced)
            date = Date(microseconds: removed.record.date)
            expires = Date(microseconds: removed.record.until)
            (byteCount, url) = (removed.byteCount, removed.url)
        }
    }
}

/// Identifies one removal of an item.
///
/// Its description is the same in all processes; `init(_:)` makes the id of the description again.
public struct RemovedItemID: Hashable, Sendable, LosslessStringConvertible {
    /// The folder in `.removed`.
    let folder: FileName
    /// The position in the record of that folder.
    let number: Int

    init(folder: FileName, number: Int) { (self.folder, self.number) = (folder, number) }

    /// Creates the id with this description; nil if no id has it.
    public init?(_ description: String) {
        guard let slash = description.lastIndex(of: "/"),
            let folder = FileName(String(description[..<slash])),
            let number = Int(description[slash...].dropFirst()), number >= 0
        else { return nil }
        self.init(folder: folder, number: number)
    }

    /// The id as text, such as `photos~4f9c…/0`.
    public var description: String { "\(folder)/\(number)" }
}

extension Date {
    fileprivate init(microseconds: Int) {
        self.init(timeIntervalSince1970: Double(microseconds) / 1_000_000)
    }
}
