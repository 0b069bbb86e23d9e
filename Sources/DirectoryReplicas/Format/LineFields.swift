import FileSystem
import JSONCodec

/// Why a file of the shared folder, or the local state, cannot be used.
package struct FormatError: Error, CustomStringConvertible {
    package let description: String
    /// Whether a later version of the library wrote it.
    package var isNewer = false

    init(_ description: String, isNewer: Bool = false) {
        (self.description, self.isNewer) = (description, isNewer)
    }
}

/// The members of an object that is a line, read strictly.
struct LineFields {
    private let members: [JSONMembers.Member]

    init(_ line: ArraySlice<UInt8>) throws {
        guard let members = try JSONMembers.all(of: line) else {
            throw FormatError("a line is not an object")
        }
        self.members = members
    }

    /// The value of a member; nil if there is none.
    func value(_ name: String) -> ArraySlice<UInt8>? {
        members.first { $0.name == name }?.value
    }

    func text(_ name: String, limit: Int = Limits.key) throws -> String? {
        try value(name).map { try Self.text($0, name, limit: limit) }
    }

    func needed(_ name: String, limit: Int = Limits.key) throws -> String {
        guard let text = try text(name, limit: limit) else { throw Self.missing(name) }
        return text
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws -> Int? {
        try value(name).map { try Self.number($0, name, range) }
    }

    func needed(_ name: String, _ range: ClosedRange<Int>) throws -> Int {
        guard let number = try number(name, range) else { throw Self.missing(name) }
        return number
    }

    func vector(_ name: String) throws -> VersionVector? {
        try value(name).map { try Self.vector($0, name) }
    }

    /// The elements of a member that is an array; nil if there is none.
    func list(_ name: String, limit: Int = Limits.elements) throws -> [ArraySlice<UInt8>]? {
        try value(name).map { try Self.list($0, name, limit: limit) }
    }

    func bool(_ name: String) throws -> Bool? {
        guard let value = value(name) else { return nil }
        if value.elementsEqual("true".utf8) { return true }
        guard value.elementsEqual("false".utf8) else { throw Self.invalid(name) }
        return false
    }

    func isTrue(_ name: String) throws -> Bool {
        guard let value = try bool(name) else { return false }
        guard value else { throw Self.invalid(name) }
        return true
    }

    func removal(_ name: String) throws -> Removal {
        guard let text = try text(name) else { return .nothing }
        guard let removal = [Removal.container, .item].first(where: { $0.text == text }) else {
            throw Self.invalid(name)
        }
        return removal
    }

    func object(_ name: String) throws -> ArraySlice<UInt8>? {
        guard let value = value(name) else { return nil }
        guard value.first == UInt8(ascii: "{") else { throw Self.invalid(name) }
        return value
    }
}

extension LineFields {
    static func missing(_ name: String) -> FormatError { FormatError("\(name) is missing") }
    static func invalid(_ name: String) -> FormatError { FormatError("\(name) is invalid") }

    static func text(_ value: ArraySlice<UInt8>, _ name: String, limit: Int = Limits.key) throws
        -> String
    {
        // A byte takes up to six in JSON, and this library writes all control characters so.
        guard value.count <= 6 * limit + 2, let text = JSONMembers.text(of: value),
            text.utf8.count <= limit
        else { throw invalid(name) }
        return text
    }

    static func number(_ value: ArraySlice<UInt8>, _ name: String, _ range: ClosedRange<Int>) throws
        -> Int
    {
        guard value.count <= 20, let number = Int(String(decoding: value, as: UTF8.self)),
            range.contains(number)
        else { throw invalid(name) }
        return number
    }

    static func list(_ value: ArraySlice<UInt8>, _ name: String, limit: Int = Limits.elements)
        throws -> [ArraySlice<UInt8>]
    {
        guard let list = try JSONMembers.elements(of: value), list.count <= limit else {
            throw invalid(name)
        }
        return list
    }

    static func device(_ text: String) throws -> DeviceID {
        guard let device = DeviceID(text) else { throw invalid("a device") }
        return device
    }

    static func vector(_ value: ArraySlice<UInt8>, _ name: String) throws -> VersionVector {
        guard let members = try JSONMembers.all(of: value), members.count <= Limits.devices else {
            throw invalid(name)
        }
        var vector = VersionVector()
        for member in members {
            vector[try device(member.name)] = try number(member.value, name, Limits.numbers)
        }
        return vector
    }

    static func hash(_ value: ArraySlice<UInt8>, _ name: String) throws -> SHA256.Digest {
        guard let hash = SHA256.Digest(try text(value, name)) else { throw invalid(name) }
        return hash
    }

    static func file(_ value: ArraySlice<UInt8>) throws -> FileValue {
        let parts = try list(value, "file")
        guard parts.count == 3 else { throw invalid("file") }
        return FileValue(
            name: try text(parts[0], "file"), hash: try hash(parts[1], "file"),
            size: try number(parts[2], "file", 0...Limits.asset))
    }

    /// Throws if a member of an item's line has too long a name or value, or too many levels.
    static func checkMembers(of line: ArraySlice<UInt8>) throws {
        try checkDepth(of: line, "set")
        // A shorter line has none of these.
        guard line.count > Limits.key else { return }
        for member in try JSONMembers.all(of: line) ?? [] { try check(member.name, member.value) }
    }

    /// Throws if a member has too long a name or value.
    static func check(_ name: String, _ value: ArraySlice<UInt8>) throws {
        guard name.utf8.count <= Limits.key else {
            throw FormatError("a member has a name of more than \(Limits.key) bytes")
        }
        guard value.count <= Limits.value else {
            throw FormatError("a member has more than \(Limits.value >> 20) MiB")
        }
    }

    /// Throws if a value has too many levels.
    static func checkDepth(of json: ArraySlice<UInt8>, _ name: String) throws {
        guard JSONMembers.hasLevels(json, upTo: Limits.depth) else {
            throw FormatError("\(name) has too many levels")
        }
    }

    static func position(_ value: ArraySlice<UInt8>) throws -> Position {
        guard let position = Position(try text(value, "at", limit: Position.maximumLength))
        else { throw invalid("at") }
        return position
    }
}

/// The bounds for files of the shared folder, which anybody may have written.
package enum Limits {
    /// In bytes: the longest text that is a key, a name or a kind.
    static let key = 4096
    /// In bytes: the longest line of a file with changes.
    ///
    /// A line of a state has all values of an item, and can be longer.
    static let entry = 16 << 20
    /// In bytes: the longest value of a member, so that an entry has space for it whatever else that has.
    static let value = 15 << 20
    /// In bytes: the largest file with changes.
    static let changes = 64 << 20
    /// In bytes: the largest file with a state.
    static let state = 512 << 20
    /// The most entries of a segment.
    static let entries = 4 << 20
    /// In bytes: the largest file of an item, because a file that somebody made of holes can claim any size.
    static let asset = 64 << 30
    /// The most devices whose segments are in one request, and the most files.
    static let requested = 64
    /// The most elements of an array.
    static let elements = 1 << 20
    /// The most devices that a state names, and the most folders of devices that have files.
    static let devices = 4096
    /// The most folders of devices that are looked at.
    static let folders = 1 << 16
    /// The most segments that are waited for.
    static let needs = 1 << 20
    /// The most ids of a network.
    static let networks = 256
    /// The most files in one folder of a device.
    static let files = 1 << 18
    /// The most levels of a value, which gets more of them in the arrays of a state, and must stay readable there.
    static let depth = 48
    /// The numbers of segments.
    static let numbers = 1...999_999_999_999
    /// In milliseconds since 1970.
    static let times = 0...(1 << 53)
}
