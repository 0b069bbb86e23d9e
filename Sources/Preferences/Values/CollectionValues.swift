extension Array: PreferenceValue where Element: PreferenceValue {
    /// Makes the value from a stored array, if each element can be read.
    public init(propertyList: PropertyList) throws {
        guard case .array(let elements) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        self = try elements.map(Element.init)
    }

    /// The elements as a stored array.
    public var propertyList: PropertyList {
        get throws { try .array(map { try $0.propertyList }) }
    }
}

extension Set: PreferenceValue where Element: PreferenceValue {
    /// Makes the value from a stored array; elements may occur more than once.
    public init(propertyList: PropertyList) throws {
        self = try Set([Element](propertyList: propertyList))
    }

    /// The elements as a stored array, in any order.
    public var propertyList: PropertyList {
        get throws { try Array(self).propertyList }
    }
}

extension Dictionary: PreferenceValue where Key == String, Value: PreferenceValue {
    /// Makes the value from a stored dictionary, if each of its values can be read.
    public init(propertyList: PropertyList) throws {
        guard case .dictionary(let elements) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        self = try elements.mapValues(Value.init)
    }

    /// The value as a stored dictionary.
    public var propertyList: PropertyList {
        get throws { try .dictionary(mapValues { try $0.propertyList }) }
    }
}
