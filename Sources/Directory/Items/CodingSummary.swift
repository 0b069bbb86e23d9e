/// What could not be encoded or decoded, and why, in a few words.
///
/// The description of an `EncodingError` has all of the value in it, which can be too deep for the
/// stack of the thread.
func codingSummary(of error: any Error) -> String {
    switch error {
    case EncodingError.invalidValue(_, let context):
        summary(context.codingPath, context.debugDescription)
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
        DecodingError.keyNotFound(_, let context), DecodingError.dataCorrupted(let context):
        summary(context.codingPath, context.debugDescription)
    default: "\(error)"
    }
}

private func summary(_ path: [any CodingKey], _ reason: String) -> String {
    path.isEmpty ? reason : "\(path.map(\.stringValue).joined(separator: ".")): \(reason)"
}
