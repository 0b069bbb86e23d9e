/// How values of a preference are encoded and decoded; an encoded nil removes the key.
///
/// `decode` calls its second argument for each element of a collection that it leaves out.
struct PreferenceCoding<Value>: Sendable {
    let encode: @Sendable (Value) throws -> PropertyList?
    let decode: @Sendable (PropertyList, (any Error) -> Void) throws -> Value
}

extension PreferenceCoding where Value: PreferenceValue {
    static var value: PreferenceCoding {
        PreferenceCoding(
            encode: { try $0.propertyList }, decode: { try Value.read($0, didDrop: $1) })
    }
}

extension PreferenceCoding {
    static func optional<Wrapped: PreferenceValue>() -> PreferenceCoding where Value == Wrapped? {
        PreferenceCoding(
            encode: { try $0?.propertyList }, decode: { try Wrapped.read($0, didDrop: $1) })
    }
}
