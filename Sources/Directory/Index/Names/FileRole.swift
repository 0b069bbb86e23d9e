import FileSystem

/// What a file is to an index, by its name: the index is `projects.json`, its lock file `.projects.lock`.
///
/// The raw value is how the name ends; all but the index are hidden.
enum FileRole: String, CaseIterable, Sendable {
    case index = ".json"
    /// The lock file, which also has the generation.
    case lock = ".lock"
    /// The commits that the index does not hold yet.
    case journal = ".journal"
    /// The mark in the folder of a container that is not committed yet.
    case mark = ".new"
    /// The manifest of a copy.
    case manifest = ".copy"
    /// A file that may become the index or the journal: `.projects.` and random digits come before the end.
    case temporary = ".tmp"
}

extension FileRole {
    /// The name of the file in this role of the index with `stem`; that of a temporary file is a new one.
    func name(_ stem: FileName) throws -> FileName {
        let digits = self == .temporary ? ".\(RandomName.digits())" : ""
        let bytes = (self == .index ? [] : [UInt8(ascii: ".")]) + stem.bytes
        if let name = FileName(bytes: bytes + Array("\(digits)\(rawValue)".utf8)) { return name }
        throw FileSystemError("use as the name of an index", stem.string, .nameTooLong)
    }

    /// Whether `name` is that of a file in this role.
    func matches(_ name: FileName) -> Bool { stem(of: name) != nil }

    /// The stem of the index that has the file `name` in this role; nil if `name` is something else.
    func stem(of name: FileName) -> FileName? {
        let end = rawValue.utf8
        // The last byte comes first: most names in a large folder are those of containers.
        guard name.isHidden == (self != .index), name.bytes.last == end.last,
            name.bytes.suffix(end.count).elementsEqual(end)
        else { return nil }
        var stem = name.bytes.dropFirst(self == .index ? 0 : 1).dropLast(end.count)
        if self == .temporary {
            let digits = stem.suffix(RandomName.digitCount)
            stem = stem.dropLast(digits.count)
            guard digits.count == RandomName.digitCount, stem.popLast() == UInt8(ascii: "."),
                digits.allSatisfy({ $0.hexadecimalValue != nil })
            else { return nil }
        }
        return FileName(bytes: Array(stem))
    }
}
