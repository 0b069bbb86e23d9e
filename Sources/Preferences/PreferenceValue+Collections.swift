extension Array: PreferenceValue where Element: PreferenceValue {
    /// Makes the value from a stored array, all of whose elements must fit.
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
    /// Makes the value from a stored array, in which an element may occur twice.
    public init(propertyList: PropertyList) throws {
        self = try Set([Element](propertyList: propertyList))
    }

    /// The elements as a stored array, in no order.
    public var propertyList: PropertyList {
        get throws { try Array(self).propertyList }
    }
}

extension Dictionary: PreferenceValue where Key == String, Value: PreferenceValue {
    /// Makes the value from a stored dictionary, all of whose values must fit.
    public init(propertyList: PropertyList) throws {
        guard case .dictionary(let elements) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        self = try elements.mapValues(Value.init)
    }

    /// The elements as a stored dictionary.
    public var propertyList: PropertyList {
        get throws { try .dictionary(mapValues { try $0.propertyList }) }
    }
}
