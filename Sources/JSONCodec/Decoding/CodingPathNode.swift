/// A container that is being decoded, as one step of the coding path.
class CodingPathNode {
    /// The container that holds this one.
    final var parent: CodingPathNode?
    /// The key of this container in its parent.
    final var key: (any CodingKey)?

    /// The innermost object that this container is or is in; nil if there is none.
    var innermostObject: JSONObject? { parent?.innermostObject }

    final var path: [any CodingKey] { Self.path(of: key, in: parent) }

    static func path(of key: (any CodingKey)?, in parent: CodingPathNode?) -> [any CodingKey] {
        (parent?.path ?? []) + (key.map { [$0] } ?? [])
    }
}
