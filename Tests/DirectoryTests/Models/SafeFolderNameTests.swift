import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

struct SafeFolderNameTests {
    @Test(arguments: [
        ("AC/DC", "AC-DC"), ("Apollo 11", "Apollo 11"),
        ("a\\b:c*d?e\"f<g>h|i", "a-b-c-d-e-f-g-h-i"),
        ("", "Untitled"), ("..", "Untitled"), (" . ", "Untitled"), ("\u{200B}\u{FEFF}", "Untitled"),
        ("\u{3164}", "Untitled"), ("\0", "Untitled"), ("/", "-"), ("../../etc", "-..-etc"),
        (".hidden", "hidden"), (".\u{308}x", "x"), ("Wait...", "Wait"), ("  a  b  ", "a  b"),
        ("a\nb\tc", "a b c"), ("a\r\nb", "a  b"), ("a\u{202E}b", "ab"),
        ("CON", "CON_"), ("con.txt", "con_.txt"), ("Com1 .a", "Com1 _.a"), ("LPT²", "LPT²_"),
        ("CONCERT", "CONCERT"), ("COM10", "COM10"),
        ("notes.json", "notes-json"), ("Notes.JSON", "Notes-JSON"), ("a.Recovered", "a-Recovered"),
        ("e\u{301}", "\u{E9}"), ("e\u{200B}\u{301}", "\u{E9}"), ("<\u{338}", "\u{226E}"),
        ("🧑‍🧑‍🧒", "🧑‍🧑‍🧒"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"), ("می\u{200C}خواهم", "می\u{200C}خواهم"),
        ("東京", "東京"),
    ])
    func nameIsAsCloseToTheTextAsItCanBe(_ text: String, _ name: String) {
        #expect(Array(text.safeFolderName().utf8) == Array(name.utf8))
    }

    @Test func longTextIsCutBetweenCharacters() {
        let family = "👩‍👩‍👧‍👦"
        #expect(family.utf8.count == 25)
        let cases = [
            (String(repeating: "x", count: 400), String(repeating: "x", count: 249)),
            (String(repeating: family, count: 40), String(repeating: family, count: 9)),
            (String(repeating: "é", count: 400), String(repeating: "é", count: 124)),
            ("CON" + String(repeating: " ", count: 400) + "x", "CON_"),
            (
                String(repeating: "x", count: 244) + ".json",
                String(repeating: "x", count: 244) + "-json"
            ),
            ("a" + String(repeating: "\u{303}", count: 400), "Untitled"),
        ]
        for (text, name) in cases { #expect(text.safeFolderName() == name) }
    }

    @Test func nameIsFreeBesideOthers() {
        #expect("Trip".safeFolderName(beside: []) == "Trip")
        #expect("Trip".safeFolderName(beside: ["Trips"]) == "Trip")
        #expect("Trip".safeFolderName(beside: ["TRIP"]) == "Trip 2")
        #expect("Trip".safeFolderName(beside: ["trip", "Trip 2", "Trip 4"]) == "Trip 3")
        #expect("\u{C4}".safeFolderName(beside: ["a\u{308}"]) == "\u{C4} 2")
        #expect("Straße".safeFolderName(beside: ["STRASSE"]) == "Straße 2")
        #expect("..".safeFolderName(beside: ["untitled"]) == "Untitled 2")
        let long = String(repeating: "x", count: 249)
        #expect(long.safeFolderName(beside: [long]) == long.dropLast(2) + " 2")
    }

    @Test func characterThatLeavesNoSpaceForANumberIsReplaced() {
        let widest = "e" + String(repeating: "\u{342}", count: 124)
        #expect(widest.safeFolderName() == widest)
        #expect(widest.safeFolderName(beside: [widest]) == "Untitled 2")
    }

    @Test func emptyTextGivesTheFallback() {
        #expect("".safeFolderName(fallback: "Ohne Titel") == "Ohne Titel")
        #expect(" ".safeFolderName(fallback: "A/B") == "A-B")
        #expect("".safeFolderName(fallback: "..") == "Untitled")
    }

    /// Scalars of which every rule is about some, and a few of all others.
    private func text(_ random: inout SeededGenerator) -> String {
        let special = [
            " ", ".", "/", "-", "_", "\0", "\n", "\r\n", "CON", "nul", ".json", ".recovered", ":",
            "<",
            "\u{338}", "\u{301}", "\u{200D}", "\u{200B}", "\u{600}", "🧑‍🧑‍🧒", "🇩🇪", "\u{1F1E9}", "e",
            "X",
            "\u{1100}", "\u{1161}", "\u{AC00}", "\u{3000}", "\u{378}", "\u{F8FF}", "ẞ", "İ", "ﬁ",
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            switch Int.random(in: 0..<10, using: &random) {
            case 0:
                let value = UInt32.random(in: 0...0x10FFFF, using: &random)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            case 1:
                let part = special.randomElement(using: &random) ?? ""
                text += String(repeating: part, count: .random(in: 1...260, using: &random))
            default: text += special.randomElement(using: &random) ?? ""
            }
        }
        return text
    }

    @Test func everyNameOfRandomTextIsAcceptedAndStaysAsItIs() throws {
        var random = SeededGenerator()
        for _ in 0..<TestSize.choose(sample: 150, gate: 2_000, full: 80_000) {
            let text = text(&random)
            let first = text.safeFolderName()
            let second = text.safeFolderName(beside: [first])
            for name in [first, second] {
                let comment: Comment = "\(text.debugDescription) \(random)"
                try #require(Array(name.safeFolderName().utf8) == Array(name.utf8), comment)
                try #require((1...249).contains(name.utf8.count), comment)
                let nfc = name.precomposedStringWithCanonicalMapping
                try #require(Array(name.utf8) == Array(nfc.utf8), comment)
                try #require(name.utf8.first != UInt8(ascii: "."), comment)
            }
            let file = try #require(FileName(first)), other = try #require(FileName(second))
            try #require(file.folded != other.folded, "\(text.debugDescription) \(random)")
        }
    }

    @Test func collectionOnADiskTakesEveryNameOfRandomText() throws {
        var random = SeededGenerator()
        let sandbox = try Sandbox()
        let boxes = try sandbox.boxes(options: .init(durability: .relaxed))
        for id in 0..<TestSize.choose(sample: 15, gate: 200, full: 3_000) {
            let text = text(&random)
            let name = try boxes.freeFolderName(for: text)
            let comment: Comment = "\(text.debugDescription) \(random)"
            #expect(throws: Never.self, comment) {
                try boxes.append(Box(id: id, folderName: name))
            }
            try #require(sandbox.exists(name), comment)
        }
        #expect(try boxes.verify() == [])
    }
}
