public import Directory
import Foundation

/// A collection in each container that a ``Replica`` keeps the same on all devices.
///
///     Child.photos.replicated()
public struct ReplicatedChild: Sendable {
    /// The name of the collection.
    public let name: String
    let binding: @Sendable (_ kind: String, _ options: DirectoryOptions, _ url: URL) -> Binding

    init<Item: Codable & Identifiable & Sendable>(
        _ child: Child<Item>, _ children: [ReplicatedChild]
    ) where Item.ID: Sendable {
        name = child.name
        binding = { kind, options, url in
            Binding(
                kind: kind, name: child.name,
                children: children.map { $0.binding(Kind.child($0.name, of: kind), options, url) },
                coding: LineCoding(of: Item.self, options, at: url))
        }
    }
}

extension Child where Item: Codable & Identifiable & Sendable, Item.ID: Sendable {
    /// This collection, for the children of a ``Replica``.
    public func replicated() -> ReplicatedChild { ReplicatedChild(self, []) }
}

extension Child where Item: Container {
    /// This collection, with collections in its own items, for the children of a ``Replica``.
    public func replicated(_ first: ReplicatedChild, _ others: ReplicatedChild...)
        -> ReplicatedChild
    {
        ReplicatedChild(self, [first] + others)
    }
}
