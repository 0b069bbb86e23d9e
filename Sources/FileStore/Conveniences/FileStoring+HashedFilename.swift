import FileSystem

extension FileStoring {
    /// A file name made from any text, such as the URL that a cached file came from.
    ///
    /// The name is the SHA-256 hash (FIPS 180-4) of the text's UTF-8 in 64 hexadecimal digits. It
    /// is the same in every run and on every machine. Nobody knows two texts with the same
    /// hash, so a cache never returns the bytes of another address.
    ///
    ///     let name = store.hashedFilename(for: "https://example.com/photo", extension: "jpg")
    ///     if !store.exists("thumbnails/\(name)") {
    ///         try await store.save(thumbnail, to: "thumbnails/\(name)")
    ///     }
    ///
    /// - Parameters:
    ///   - text: The text. Texts that differ in any byte have different names.
    ///   - fileExtension: The extension without its dot; if it is empty, the name has no dot.
    /// - Returns: The name with its extension.
    public func hashedFilename(for text: String, extension fileExtension: String) -> String {
        let hash = SHA256.hash(text.utf8).description
        return fileExtension.isEmpty ? hash : "\(hash).\(fileExtension)"
    }
}
