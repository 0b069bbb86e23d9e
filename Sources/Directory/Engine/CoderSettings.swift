import Foundation

/// Everything that decides how an encoder or a decoder works, to compare it with another one.
struct CoderSettings {
    /// The strategies.
    private let texts: [String]
    /// Whether the type is a class of the app, of which nobody here knows what else decides.
    private let isOfApp: Bool
    private let userInfo: [CodingUserInfoKey: Any]

    init(_ encoder: JSONEncoder) {
        var texts = ["\(encoder.outputFormatting.rawValue)"]
        switch encoder.dateEncodingStrategy {
        case .custom: texts.append(Self.identity(of: encoder.dateEncodingStrategy))
        default: texts.append("\(encoder.dateEncodingStrategy)")
        }
        switch encoder.dataEncodingStrategy {
        case .custom: texts.append(Self.identity(of: encoder.dataEncodingStrategy))
        default: texts.append("\(encoder.dataEncodingStrategy)")
        }
        switch encoder.keyEncodingStrategy {
        case .custom: texts.append(Self.identity(of: encoder.keyEncodingStrategy))
        default: texts.append("\(encoder.keyEncodingStrategy)")
        }
        texts.append("\(encoder.nonConformingFloatEncodingStrategy)")
        (self.texts, userInfo) = (texts, encoder.userInfo)
        isOfApp = type(of: encoder) != type(of: JSONEncoder())
    }

    init(_ decoder: JSONDecoder) {
        var texts: [String] = []
        switch decoder.dateDecodingStrategy {
        case .custom: texts.append(Self.identity(of: decoder.dateDecodingStrategy))
        default: texts.append("\(decoder.dateDecodingStrategy)")
        }
        switch decoder.dataDecodingStrategy {
        case .custom: texts.append(Self.identity(of: decoder.dataDecodingStrategy))
        default: texts.append("\(decoder.dataDecodingStrategy)")
        }
        switch decoder.keyDecodingStrategy {
        case .custom: texts.append(Self.identity(of: decoder.keyDecodingStrategy))
        default: texts.append("\(decoder.keyDecodingStrategy)")
        }
        texts.append("\(decoder.nonConformingFloatDecodingStrategy)")
        texts.append("\(decoder.allowsJSON5) \(decoder.assumesTopLevelDictionary)")
        (self.texts, userInfo) = (texts, decoder.userInfo)
        isOfApp = type(of: decoder) != type(of: JSONDecoder())
    }

    /// The bytes of a strategy that has a function: equal if both have the same code, and have captured nothing, or the
    /// same memory.
    private static func identity(of strategy: some Any) -> String {
        withUnsafeBytes(of: strategy) { "\(Array($0))" }
    }
}

extension CoderSettings {
    /// Whether both coders work alike, as far as that can be known.
    func areEqual(to other: Self) -> Bool {
        guard !isOfApp, !other.isOfApp, texts == other.texts, userInfo.count == other.userInfo.count
        else { return false }
        return userInfo.allSatisfy { key, value in
            other.userInfo[key].map { Self.areEqual(value, $0) } ?? false
        }
    }

    /// Compares values by `==`, and objects and types without it by their identity; all others differ.
    private static func areEqual(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? any Equatable { return areEqual(left, right) }
        if let left = left as? Any.Type, let right = right as? Any.Type {
            return left == right
        }
        guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
        return left as AnyObject === right as AnyObject
    }

    private static func areEqual<Value: Equatable>(_ left: Value, _ right: Any) -> Bool {
        right as? Value == left
    }
}
