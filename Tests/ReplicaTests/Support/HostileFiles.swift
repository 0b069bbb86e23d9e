import JSONCodec
import TestSupport

/// Damages files of the shared folder in ways that know their format.
struct HostileFiles {
    var random: SeededGenerator

    /// The bytes of a file, of whose lines some are changed, doubled, removed or exchanged.
    mutating func damage(_ file: [UInt8]) -> [UInt8] {
        var lines = file.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .dropLast().map { Array($0) }
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            guard let place = lines.indices.randomElement(using: &random) else { break }
            switch Int.random(in: 0..<20, using: &random) {
            case 0: lines.remove(at: place)
            case 1: lines.insert(lines[place], at: place)
            case 2: lines.swapAt(place, 0)
            case 3: lines[place] = Array(lines[place].prefix(Int.random(in: 0...9, using: &random)))
            case 4: lines[place].append(0)
            case 5: lines[place] = Self.values.randomElement(using: &random) ?? []
            default: lines[place] = damaged(lines[place][...])
            }
        }
        var bytes = lines.flatMap { $0 + [UInt8(ascii: "\n")] }
        if Int.random(in: 0..<50, using: &random) == 0 { bytes.removeLast(min(1, bytes.count)) }
        return bytes
    }

    /// A value with another value somewhere in it.
    private mutating func damaged(_ value: ArraySlice<UInt8>) -> [UInt8] {
        // Most damage is deep inside.
        let descends = Int.random(in: 0..<10, using: &random) > 0
        if descends, let members = try? JSONMembers.all(of: value), !members.isEmpty {
            var parts = members.map { ($0.name, Array($0.value)) }
            let place = Int.random(in: 0..<parts.count, using: &random)
            switch Int.random(in: 0..<12, using: &random) {
            case 0: parts.remove(at: place)
            case 1: parts.append(parts[place])
            case 2: parts[place].0 = parts.randomElement(using: &random)?.0 ?? ""
            case 3: parts[place].1 = parts.randomElement(using: &random)?.1 ?? []
            default: parts[place].1 = damaged(parts[place].1[...])
            }
            let text = parts.map { Array("\"\($0.0)\":".utf8) + $0.1 }
            return Array("{".utf8) + Array(text.joined(separator: ",".utf8)) + Array("}".utf8)
        }
        if descends, let elements = try? JSONMembers.elements(of: value), !elements.isEmpty {
            var parts = elements.map { Array($0) }
            let place = Int.random(in: 0..<parts.count, using: &random)
            switch Int.random(in: 0..<10, using: &random) {
            case 0: parts.remove(at: place)
            case 1: parts.append(parts[place])
            case 2: parts.reverse()
            default: parts[place] = damaged(parts[place][...])
            }
            return Array("[".utf8) + Array(parts.joined(separator: ",".utf8)) + Array("]".utf8)
        }
        return Self.values.randomElement(using: &random) ?? []
    }

    /// Values of every type, of which many are at or beyond a limit.
    private static let values: [[UInt8]] = {
        func times(_ count: Int, _ text: String) -> String {
            String(repeating: text, count: count)
        }
        let texts = [
            "", "a", "V", "0", "null", "/", ".", "..", "../../x", "a/b", "%2F", "con", "\\u0000",
            "\\n", "\\ud800", "\\ud83d\\ude00", "e\\u0301", times(255, "a"), times(4096, "a"),
            times(4097, "a"), times(683, "\\b"), times(4096, "\\b"), times(100_000, "x"),
            times(32, "f"), times(64, "f"), "6F9619FF-8B86-D011-B42D-00C04FC964FF",
            "6f9619ff-8b86-d011-b42d-00c04fc964ff", "projects", "projects/photos",
            "projects/albums/photos", times(40, "a/") + "a",
        ]
        let numbers = [
            "0", "-0", "-1", "1", "2", "48", "4096", "4294967296", "9007199254740992",
            "9007199254740993", "999999999999", "1000000000000", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "1.5", "1e5", "1e400", "01", "NaN",
        ]
        let others = [
            "null", "true", "false", "[]", "{}", "[[]]", "[null]", "[1,2,3]", "[\"a\",\"b\"]",
            "{\"a\":1}", "{\"\":{}}", "", " ", "nonsense", "\"", "[", "{", "}", "{\"a\"}",
            "\u{FEFF}",
            times(5000, "["), times(5000, "{\"a\":"), times(47, "[") + times(47, "]"),
            times(60, "[") + times(60, "]"), "[\(times(5000, "0,"))0]",
            "{\((0..<5000).map { "\"\($0)\":0" }.joined(separator: ","))}",
            "{\((0..<5000).map { "\"\(times(27, "0"))\($0 + 10_000)\":1" }.joined(separator: ","))}",
        ]
        return (texts.map { "\"\($0)\"" } + numbers + others).map { Array($0.utf8) } + [[0xFF]]
    }()
}
