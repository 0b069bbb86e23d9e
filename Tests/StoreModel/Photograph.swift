package import Foundation

/// A photograph as its users see it.
package struct Photograph: Hashable, Sendable {
    package var name: String
    /// What its file is called in the model: its bytes follow from this.
    package var file: String

    package init(_ name: String, file: String? = nil) {
        self.name = name
        self.file = file ?? name
    }
}

extension Photograph {
    /// The bytes of `file`, which no other file has; several pages if its name begins with `q`.
    package static func bytes(of file: String) -> Data {
        Data(String(repeating: line(file), count: file.hasPrefix("q") ? 300 : 1).utf8)
    }

    /// The file with these bytes; nil if they are not the bytes of one photograph.
    package static func file(of bytes: some Collection<UInt8>) -> String? {
        let text = String(decoding: bytes, as: UTF8.self)
        let file = text.prefix { $0 != "\n" }.dropFirst(line("").count - 1)
        return Data(bytes) == Self.bytes(of: String(file)) ? String(file) : nil
    }

    private static func line(_ file: String) -> String { "photograph \(file)\n" }
}

extension Photograph: ExpressibleByStringLiteral, CustomStringConvertible {
    package init(stringLiteral name: String) { self.init(name) }

    package var description: String { name == file ? name : "\(name)=\(file)" }
}
