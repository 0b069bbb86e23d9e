import Foundation

/// A short text about an error of encoding or decoding: the place and the reason.
///
/// The description of an `EncodingError` contains the whole value, which can be too deep for the
/// stack of the thread. The description of a key contains the name of its type.
func codingSummary(of error: any Error) -> String {
    switch error {
    case EncodingError.invalidValue(_, let context):
        summary(context.codingPath, context.debugDescription)
    case DecodingError.keyNotFound(let key, let context):
        summary(context.codingPath + [key], "it is missing")
    case DecodingError.valueNotFound(_, let context)
    where context.debugDescription.contains("null"):
        summary(context.codingPath, "it is null")
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.dataCorrupted(let context):
        summary(context.codingPath, context.debugDescription)
    case let error as any LocalizedError: error.errorDescription ?? "\(error)"
    default: "\(error)"
    }
}

private func summary(_ path: [any CodingKey], _ reason: String) -> String {
    let place = path.reduce("") { place, key in
        // Elements of an array have such keys.
        if let number = key.intValue, key.stringValue == "Index \(number)" {
            return "\(place)[\(number)]"
        }
        return place.isEmpty ? key.stringValue : "\(place).\(key.stringValue)"
    }
    return place.isEmpty ? reason : "\(place): \(reason)"
}
