/// A coding key that no type declares: an element's index, or the key of a superclass.
enum ImplicitKey: CodingKey {
    case index(Int)
    case `super`

    init?(stringValue: String) {
        guard stringValue == "super" else { return nil }
        self = .super
    }

    init?(intValue: Int) { self = .index(intValue) }

    var stringValue: String { intValue.map { "Index \($0)" } ?? "super" }

    var intValue: Int? {
        if case .index(let index) = self { index } else { nil }
    }
}
