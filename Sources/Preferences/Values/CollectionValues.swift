/// A collection whose unreadable elements a preference leaves out.
protocol PreferenceCollection: PreferenceValue {
    /// Makes the value from the elements that can be read, and calls `didDrop` for each other one.
    ///
    /// - Throws: An error of an element if none of them can be read: they may have another type.
    init(propertyList: PropertyList, didDrop: (any Error) -> Void) throws
}

extension PreferenceValue {
    /// Reads a value; a collection gets only the elements that can be read.
    static func read(_ propertyList: PropertyList, didDrop: (any Error) -> Void) throws -> Self {
        let collection = Self.self as? any PreferenceCollection.Type
        let found = try collection?.init(propertyList: propertyList, didDrop: didDrop) as? Self
        return try found ?? Self(propertyList: propertyList)
    }
}

extension Sequence {
    /// The results of `read`, without the elements for which it throws.
    ///
    /// - Throws: The last error if there are no results.
    fileprivate func readable<Result>(
        _ didDrop: (any Error) -> Void, _ read: (Element) throws -> Result
    ) throws -> [Result] {
        var errors: [any Error] = []
        let results = compactMap { element in
            do {
                return try read(element)
            } catch {
                errors.append(error)
                return nil
            }
        }
        if results.isEmpty, let error = errors.last { throw error }
        errors.forEach(didDrop)
        return results
    }
}

extension Array: PreferenceValue where Element: PreferenceValue {
    /// Makes the value from a stored array, if each element can be read.
    ///
    /// A ``Preference`` leaves out elements that cannot be read, unless that is all of them, and
    /// its store reports them as ``PreferenceError/Code/partlyUnreadable``.
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

extension Array: PreferenceCollection where Element: PreferenceValue {
    init(propertyList: PropertyList, didDrop: (any Error) -> Void) throws {
        guard case .array(let elements) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        self = try elements.readable(didDrop) { try Element.read($0, didDrop: didDrop) }
    }
}

extension Set: PreferenceValue where Element: PreferenceValue {
    /// Makes the value from a stored array; elements may occur more than once.
    ///
    /// A ``Preference`` leaves out elements that cannot be read, as for an `Array`.
    public init(propertyList: PropertyList) throws {
        self = try Set([Element](propertyList: propertyList))
    }

    /// The elements as a stored array, in any order.
    public var propertyList: PropertyList {
        get throws { try Array(self).propertyList }
    }
}

extension Set: PreferenceCollection where Element: PreferenceValue {
    init(propertyList: PropertyList, didDrop: (any Error) -> Void) throws {
        self = try Set([Element](propertyList: propertyList, didDrop: didDrop))
    }
}

extension Dictionary: PreferenceValue where Key == String, Value: PreferenceValue {
    /// Makes the value from a stored dictionary, if each of its values can be read.
    ///
    /// A ``Preference`` leaves out values that cannot be read, as for an `Array`.
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

extension Dictionary: PreferenceCollection where Key == String, Value: PreferenceValue {
    init(propertyList: PropertyList, didDrop: (any Error) -> Void) throws {
        guard case .dictionary(let elements) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        let found = try elements.readable(didDrop) { key, value in
            (key, try Value.read(value, didDrop: didDrop))
        }
        self.init(uniqueKeysWithValues: found)
    }
}
