extension FileStoring {
    /// A file name made from any text, such as the URL that a cached file came from.
    ///
    /// The name is the SHA-256 hash (FIPS 180-4) of the text's UTF-8 in 64 hexadecimal digits. It
    /// is the same in every run and on every machine, and nobody can find two texts with one
    /// name, so a cache never serves one address the bytes of another.
    ///
    ///     let name = store.hashedFilename(for: "https://example.com/photo", extension: "jpg")
    ///     if !store.exists("thumbnails/\(name)") {
    ///         try await store.save(thumbnail, to: "thumbnails/\(name)")
    ///     }
    ///
    /// - Parameters:
    ///   - text: The text, compared byte by byte.
    ///   - fileExtension: What follows the dot; the empty extension has no dot.
    /// - Returns: The name, with its extension.
    public func hashedFilename(for text: String, extension fileExtension: String) -> String {
        let hash = SHA256.hexadecimal(of: Array(text.utf8))
        return fileExtension.isEmpty ? hash : "\(hash).\(fileExtension)"
    }
}
