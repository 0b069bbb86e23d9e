extension Directory.Items: Encodable {
    /// Encodes the items as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for item in self { try container.encode(item) }
    }
}
