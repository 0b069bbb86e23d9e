import FileSystem

/// Identifies a network: the devices that share one folder.
///
/// The first device makes it up. So a device notices that somebody gave it the folder of other devices.
struct NetworkID: Hashable, Sendable, CustomStringConvertible {
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
}

/// The file that marks a folder as a shared folder, and names its network.
enum Marker {
    /// What a folder has under the name of the marker.
    enum Content: Equatable {
        case network(NetworkID)
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
    private static let beginning = "directory-replicas "
    private static let beginningWithVersion = "\(beginning)\(Format.version) "

    static func bytes(of network: NetworkID) -> [UInt8] {
        Array("\(beginningWithVersion)\(network)\n".utf8)
    }

    static func find(in folder: Handle, on disk: any FileSystem) throws -> Content {
        guard let status = try disk.status(of: name, in: folder) else { return .nothing }
        if status.kind != .file { return .noFile }
        if status.isDataless { return .incomplete }
        let opened = try disk.unlessMissing { try disk.openFile(name, in: folder, for: .read) }
        guard let file = opened else { return .nothing }
        return content(of: try disk.read(file, at: 0, count: 256))
    }

    private static func content(of bytes: [UInt8]) -> Content {
        let text = String(decoding: bytes, as: UTF8.self)
        guard text.hasPrefix(beginningWithVersion) else {
            if beginningWithVersion.hasPrefix(text) { return .incomplete }
            let version = text.dropFirst(beginning.count).prefix { $0.isNumber }
            let isLater = (Int(version) ?? 0) > Format.version
            return text.hasPrefix(beginning) && isLater ? .newer : .foreign
        }
        let rest = text.dropFirst(beginningWithVersion.count)
        let digits = rest.prefix { "0123456789abcdef".contains($0) }
        if let network = NetworkID(digits), rest.dropFirst(digits.count) == "\n" {
            return .network(network)
        }
        return digits.count == rest.count && digits.count <= 32 ? .incomplete : .foreign
    }
}
