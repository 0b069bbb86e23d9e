/// How values of a preference are encoded and decoded; an encoded nil removes the key.
struct PreferenceCoding<Value>: Sendable {
    let encode: @Sendable (Value) throws -> PropertyList?
    let decode: @Sendable (PropertyList) throws -> Value
}

extension PreferenceCoding where Value: PreferenceValue {
    static var value: PreferenceCoding {
        PreferenceCoding(
            encode: { try $0.propertyList }, decode: { try Value(propertyList: $0) })
    }
}

extension PreferenceCoding {
    static func optional<Wrapped: PreferenceValue>() -> PreferenceCoding where Value == Wrapped? {
        PreferenceCoding(
            encode: { try $0?.propertyList }, decode: { try Wrapped(propertyList: $0) })
    }
}
