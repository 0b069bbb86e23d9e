/// Each commit asks many arrays whether they are empty, and code that is generic in the items is not specialised in an app.
///
/// There a member of a protocol, such as the usual `isEmpty`, looks up the metadata of the array's type, which takes
/// 25 ns; a member of `Array` itself does not. So does a literal, which is why properties with generic elements begin
/// with `.init()`.
extension Array {
    /// Whether the array has no elements.
    var isEmpty: Bool { count == 0 }

    /// Adds elements; an empty array becomes that of the elements.
    mutating func appendAll(_ others: Self) {
        if isEmpty { self = others } else if !others.isEmpty { self += others }
    }
}
