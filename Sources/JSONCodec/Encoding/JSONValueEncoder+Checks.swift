extension JSONValueEncoder {
    /// Checks that JSON can represent `number`, which is to be encoded here or under `key`.
    @inline(__always)
    func check(
        _ number: some BinaryFloatingPoint, under key: @autoclosure () -> (any CodingKey)? = nil
    ) throws {
        guard !number.isFinite else { return }
        throw invalid(
            number, "Unable to encode \(type(of: number)).\(number) directly in JSON.",
            under: key())
    }

    @inline(__always)
    func check(
        _ primitive: JSONPrimitive, under key: @autoclosure () -> (any CodingKey)? = nil
    ) throws {
        if case .number(let number) = primitive { try check(number, under: key()) }
    }
}
