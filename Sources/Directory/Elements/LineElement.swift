import FileSystem
import Foundation

/// An element of an index whose type is unknown: only its line.
///
/// Recovery moves such elements from one index to another. Two have the same id if their JSON differs only in the white
/// space between its tokens, which editors change.
final class LineElement: IndexElement {
    let line: ArraySlice<UInt8>

    init(_ line: ArraySlice<UInt8>) { self.line = line }

    var idHash: Int { Self.compact(line).hashValue }
    var idValue: any Sendable { String(decoding: line, as: UTF8.self) }
    var idAlone: any IndexElement { self }
    var folder: OwnedName? { nil }
    var file: OwnedName? { nil }

    func hasID(of other: any IndexElement) -> Bool {
        other is LineElement && Self.compact(line) == Self.compact(other.line)
    }

    /// `line` without the white space between its tokens.
    static func compact(_ line: ArraySlice<UInt8>) -> [UInt8] {
        var isInString = false
        var isEscaped = false
        return line.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            }
            return isInString || !" \t\r\n".utf8.contains(byte)
        }
    }
}

/// Reads an index whose type is unknown: each line is an element, which may own any folder or file.
final class LineReader: ElementReader {
    let options: DirectoryOptions
    private let makeURL: @Sendable () -> URL

    init(_ options: DirectoryOptions, url: @autoclosure @escaping @Sendable () -> URL) {
        self.options = options
        makeURL = url
    }

    var url: URL { makeURL() }

    var typeName: String { "line" }
    var ownsFolders: Bool { true }
    var ownsFiles: Bool { true }
    var checksSyntax: Bool { false }

    func element(on line: ArraySlice<UInt8>) -> any IndexElement { LineElement(line) }

    func chunk(of lines: ArraySlice<ArraySlice<UInt8>>) -> ElementChunk {
        ElementChunk(elements: lines.map { LineElement($0) })
    }

    func chunk(of range: Range<Int>, in bytes: [UInt8], isLast: Bool) -> ElementChunk? { nil }
    func id(of line: ArraySlice<UInt8>, like other: (any IndexElement)?) -> ElementID? { nil }
    func id(_ value: any Sendable) -> ElementID? { nil }

    func areSame(
        _ left: ArraySlice<UInt8>?, _ right: ArraySlice<UInt8>?, of name: String,
        in line: ArraySlice<UInt8>
    ) -> Bool { left == right }

    func complete(_ elements: inout Elements, in folder: IndexFolder) -> Bool { false }
}

extension IndexFolder {
    /// A reader of the index that does not know the type of its items.
    var lineReader: LineReader { LineReader(options, url: indexURL) }
}
