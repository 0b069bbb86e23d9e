import Foundation

/// What all processes say in their logs that they did.
struct History {
    struct Span {
        let begin: UInt64
        /// The largest number if it is not known.
        var end: UInt64

        func overlaps(_ other: Span) -> Bool { begin <= other.end && other.begin <= end }
    }

    enum Outcome: Hashable {
        case done, failed, killed
    }

    /// A change, and when it was made.
    struct Event {
        let words: [String]
        let span: Span
        let outcome: Outcome

        var items: ArraySlice<String> {
            switch words[0] {
            case "add", "remove", "update": words.dropFirst(2)
            case "move": words.dropFirst(3)
            default: []
            }
        }
    }

    private(set) var events: [Event] = []
    /// How often what ended how.
    private var counts: [String: Int] = [:]

    init(logs: URL) throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: logs.path)
        for name in names where name.hasSuffix(".log") {
            let text = try String(contentsOf: logs.appending(path: name), encoding: .utf8)
            read(text)
        }
    }

    private mutating func read(_ text: String) {
        var begun: (time: UInt64, events: [Substring])?
        func end(_ outcome: Outcome, at time: UInt64, _ reason: Substring) {
            guard let (begin, texts) = begun else { return }
            begun = nil
            for text in texts {
                let words = text.split(separator: " ").map(String.init)
                events.append(
                    Event(words: words, span: Span(begin: begin, end: time), outcome: outcome))
                counts["\(words[0]) \(reason)", default: 0] += 1
            }
        }
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ", maxSplits: 2)
            let time = UInt64(parts[0]) ?? 0
            switch parts[1] {
            case "begin":
                begun = (time, parts[2].split(separator: ";"))
            case "done": end(.done, at: time, "done")
            case "failed": end(.failed, at: time, parts[2].prefix { $0 != " " })
            default: end(.killed, at: time, "killed")
            }
        }
        end(.killed, at: .max, "without end")
    }

    /// How many changes there were, by their kinds and ends.
    var summary: String {
        let total = counts.values.reduce(0, +)
        let texts = counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return "\(total) operations (\(texts.joined(separator: ", ")))"
    }
}
