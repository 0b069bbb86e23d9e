import DirectoryTestSupport

extension Sandbox {
    /// What the copy at `path` has of its original: all but the manifest.
    func copied(_ path: String) throws -> [String: Entry] {
        let isManifest = { (path: String) in path.hasPrefix(".") && path.hasSuffix(".copy") }
        return try tree(path).filter { !isManifest($0.key) }
    }
}
