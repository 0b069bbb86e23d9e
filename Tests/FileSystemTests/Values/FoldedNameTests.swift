import FileSystem
import Foundation
import TestSupport
import Testing

/// Which names are one name on some volume.
struct FoldedNameTests {
    @Test(arguments: [
        ["groß", "GROẞ", "groẞ", "GROSS", "gross"],
        ["Sisyphos ΣΊΣΥΦΟΣ", "sisyphos σίσυφοσ", "SISYPHOS σίσυφος"],
        ["o\u{FB03}ce", "oﬃce", "OFFICE", "o\u{FB00}ice"],
        ["\u{13A0}", "\u{AB70}"], ["\u{13F0}", "\u{13F8}"],
        ["\u{345}", "ι", "Ι", "\u{1FBE}"], ["\u{1FB3}", "ΑΙ", "αι", "\u{1FBC}"],
        ["İ", "i\u{307}", "I\u{307}"], ["K", "k", "\u{212A}"], ["Å", "å", "\u{212B}", "A\u{30A}"],
        ["ŉ", "ʼN", "ʼn"], ["ǅ", "Ǆ", "ǆ"], ["а", "А"], ["ſ", "s", "S"],
    ])
    func namesThatFullCaseFoldingJoinsAreEqual(_ names: [String]) {
        #expect(Set(names.map(folded)).count == 1)
    }

    /// U+0345 is folded to a letter, so it must be in its canonical place before.
    @Test func canonicallyEquivalentNamesAreEqual() {
        #expect(folded("α\u{345}\u{301}") == folded("α\u{301}\u{345}"))
        var random = SeededGenerator()
        let pieces =
            "aΑσςßẞιΙ\u{345}\u{301}\u{308}\u{323}\u{307}ıIİﬃ\u{1FB4}\u{390}한\u{1100}\u{1161}"
            .unicodeScalars.map(String.init)
        for _ in 0..<TestSize.choose(sample: 500, gate: 5_000, full: 5_000) {
            let name = (0..<6).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let decomposed = name.decomposedStringWithCanonicalMapping
            let other = folded(decomposed)
            #expect(folded(name.precomposedStringWithCanonicalMapping) == other, "\(random)")
            #expect(folded(decomposed.uppercased()) == other, "\(random)")
            #expect(folded(other) == other, "\(random)")
        }
    }

    /// Foundation's folding is the full case folding of an older Unicode.
    @Test func noTwoCharactersDifferThatFoundationFolds() {
        for scalar in Self.scalars {
            let text = String(scalar)
            let full = text.folding(options: .caseInsensitive, locale: nil)
            #expect(folded(text) == folded(full), "\(scalar.value)")
        }
    }

    /// What case folding leaves as it is, it does not join.
    ///
    /// Only the Turkish dotless i is joined
    /// with the letter i here, because both have the upper case I.
    @Test func onlyTheDotlessIIsEqualToALetterThatCaseFoldingTellsApart() {
        var classes: [String: Set<String>] = [:]
        for scalar in Self.scalars where !scalar.properties.changesWhenCaseFolded {
            classes[folded(String(scalar)), default: []].insert(String(scalar))
        }
        #expect(classes.values.filter { $0.count > 1 } == [["i", "ı"]])
    }

    /// All characters, without those for private use; in a sample each 100th from a random one on, and the two letters i.
    private static let scalars = {
        // They are in the order of their numbers, and neighbours are often alike.
        let step = TestSize.choose(sample: 100, gate: 1, full: 1)
        var random = SeededGenerator()
        print("folded names: \(random)")
        let first = UInt32.random(in: 1...UInt32(step), using: &random)
        let all = stride(from: first, through: 0x10FFFF, by: step).compactMap(Unicode.Scalar.init)
        return Set(all + ["i", "ı"]).filter {
            let category = $0.properties.generalCategory
            return category != .unassigned && category != .privateUse && $0 != "/" && $0 != "."
        }
    }()

    private func folded(_ name: String) -> String { FileName(name)?.folded ?? "invalid" }
}
