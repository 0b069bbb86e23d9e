import FileSystem

/// Identifies a network: the devices that share one folder.
///
/// The first device makes it up. So a device notices that somebody gave it the folder of other devices. A network has
/// several ids if devices began before their folders met.
struct NetworkID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// 32 hexadecimal digits in lower case.
    let description: String

    init(using random: inout some RandomNumberGenerator) {
        description = DeviceID(using: &random).description
    }

    /// The id with these digits; nil if `text` is something else.
    init?(_ text: some StringProtocol) {
        guard let digits = DeviceID(text) else { return nil }
        description = digits.description
    }

    static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// The file that marks a folder as a shared folder.
enum Marker {
    /// What a folder has under the name of the marker.
    enum Content {
        case marker
        case nothing
        /// The beginning of a marker: an engine has brought only a part of it.
        case incomplete
        /// The marker of a later version of the library.
        case newer
        /// A file that no version of the library writes.
        case foreign
        /// A folder, a link or a device.
        case noFile
    }

    static let name: FileName = "directory-replicas.txt"
    /// All devices write the same, so that no engine finds a conflict.
    static let bytes = Array("\(beginning)\(Format.version)\n".utf8)
    private static let beginning = "directory-replicas "

    static func find(in folder: Handle, on disk: any FileSystem) throws -> Content {
        guard let status = try disk.status(of: name, in: folder) else { return .nothing }
        if status.kind != .file { return .noFile }
        if status.isDataless { return .incomplete }
        let opened = try disk.openFileIfPresent(name, in: folder, for: .read)
        guard let file = opened else { return .nothing }
        let found = try disk.read(file, at: 0, count: 64)
        if found == bytes { return .marker }
        if bytes.starts(with: found) { return .incomplete }
        let text = String(decoding: found, as: UTF8.self)
        let version = text.dropFirst(beginning.count).prefix { $0.isNumber }
        let isLater = (Int(version) ?? 0) > Format.version
        return text.hasPrefix(beginning) && isLater ? .newer : .foreign
    }
}
