/// A collection that has no order of its own: it encodes its parts in another order in each process.
///
/// The encoder writes the members of a dictionary in the order of the UTF-8 bytes of their names, the elements of a set in
/// the order of the bytes of their JSON, and keys that are not text, each with its value, in the order of the bytes of both.
/// Equal values of one type thus have equal bytes.
protocol Unordered {
    /// The number of elements of an array that belong together.
    static var elementsOfPart: Int { get }
}

extension Set: Unordered {
    static var elementsOfPart: Int { 1 }
}

extension Dictionary: Unordered {
    /// A key and its value, if the keys are not text.
    static var elementsOfPart: Int { 2 }
}
