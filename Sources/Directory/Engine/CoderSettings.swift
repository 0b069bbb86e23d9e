import Foundation

/// Everything that decides how an encoder or a decoder works, to compare it with another one.
struct CoderSettings {
    /// The strategies.
    private let texts: [String]
    /// Whether the type is a class of the app, of which nobody here knows what else decides.
    private let isOfApp: Bool
    private let userInfo: [CodingUserInfoKey: Any]

    init(_ encoder: JSONEncoder) {
        texts = [
            "\(encoder.outputFormatting.rawValue)",
            Self.text(of: encoder.dateEncodingStrategy),
            Self.text(of: encoder.dataEncodingStrategy),
            Self.text(of: encoder.keyEncodingStrategy),
            Self.text(of: encoder.nonConformingFloatEncodingStrategy),
        ]
        userInfo = encoder.userInfo
        isOfApp = type(of: encoder) != type(of: JSONEncoder())
    }

    init(_ decoder: JSONDecoder) {
        texts = [
            "\(decoder.allowsJSON5) \(decoder.assumesTopLevelDictionary)",
            Self.text(of: decoder.dateDecodingStrategy),
            Self.text(of: decoder.dataDecodingStrategy),
            Self.text(of: decoder.keyDecodingStrategy),
            Self.text(of: decoder.nonConformingFloatDecodingStrategy),
        ]
        userInfo = decoder.userInfo
        isOfApp = type(of: decoder) != type(of: JSONDecoder())
    }

    /// The description of a strategy; its bytes if it is a function of the app: two of these are equal if both have the
    /// same code, and have captured nothing, or the same memory.
    private static func text(of strategy: some Any) -> String {
        let isFunction = Mirror(reflecting: strategy).children.first?.label == "custom"
        return isFunction ? withUnsafeBytes(of: strategy) { "\(Array($0))" } : "\(strategy)"
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
