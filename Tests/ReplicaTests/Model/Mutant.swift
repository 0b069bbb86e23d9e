import DirectoryReplicas
import Testing

/// A rule that is wrong, or a step that is left out or done too early.
struct Mutant: Sendable, CustomTestStringConvertible {
    let name: String
    /// Why nothing is lost by it; nil if the model has to notice it.
    var reason: String?
    let change: @Sendable (inout Model.Settings) -> Void

    var testDescription: String { name }

    init(
        _ name: String, harmless reason: String? = nil,
        _ change: @escaping @Sendable (inout Model.Settings) -> Void
    ) {
        (self.name, self.reason, self.change) = (name, reason, change)
    }

    static let all = importing + values + removals + order + publishing + compacting
}

extension Mutant {
    private static let values = [
        Mutant("a value is never replaced") { $0.rules.supersedes = { _, _ in false } },
        Mutant("a value replaces those that its writer had not seen") {
            $0.rules.supersedes = { _, _ in true }
        },
        Mutant("a value replaces what the writer sees next") {
            $0.rules.supersedes = { $0[$1.device] + 1 >= $1.number }
        },
        Mutant("a value does not replace the newest that was seen") {
            $0.rules.supersedes = { $0[$1.device] > $1.number }
        },
        Mutant("states never forget") { $0.rules.forgot = { _, _ in false } },
        Mutant("what a state lacks is forgotten") { $0.rules.forgot = { _, _ in true } },
        Mutant("a state forgets one segment too many") {
            $0.rules.forgot = { $0[$1.device] + 1 >= $1.number }
        },
        Mutant("a state forgets one segment too few") {
            $0.rules.forgot = { $0[$1.device] > $1.number }
        },
    ]

    private static let removals = [
        Mutant("a removal removes nothing") { $0.rules.removes = { _, _ in false } },
        Mutant("a removal removes what was not seen") { $0.rules.removes = { _, _ in true } },
        Mutant("a removal removes what comes next") {
            $0.rules.removes = { $0[$1.device] + 1 >= $1.number }
        },
        Mutant("a removal spares the newest that was seen") {
            $0.rules.removes = { $0[$1.device] > $1.number }
        },
        Mutant("containers go although something in them lives") {
            $0.rules.keepsContainers = { _ in false }
        },
        Mutant("containers stay although nothing in them lives") {
            $0.rules.keepsContainers = { _ in true }
        },
    ]

    private static let order = [
        Mutant("a segment is joined before what its device had seen") {
            $0.rules.isReady = { header, seen in seen[header.device] == header.number - 1 }
        },
        Mutant("gaps are not noticed") {
            $0.rules.isReady = { header, seen in
                header.seen.numbers.allSatisfy {
                    $0.key == header.device || seen[$0.key] >= $0.value
                }
            }
        },
        Mutant("segments are joined as they come") { $0.rules.isReady = { _, _ in true } },
        Mutant("segments are joined one too early") {
            $0.rules.isReady = { header, seen in seen[header.device] >= header.number - 2 }
        },
        Mutant("nothing is ready") { $0.rules.isReady = { _, _ in false } },
        Mutant(
            "the device decides, not the clock",
            harmless: "clocks only order values that did not see each other"
        ) { $0.rules.precedes = { $0.dot.device < $1.dot.device } },
        Mutant(
            "the oldest value is shown",
            harmless: "clocks only order values that did not see each other"
        ) { $0.rules.precedes = { ($1.time, $1.dot.device) < ($0.time, $0.dot.device) } },
        Mutant(
            "parts of files are read",
            harmless: "a part of a file does not parse, or has whole segments"
        ) { $0.rules.isWhole = { _, _ in true } },
        Mutant("whole files are not read") { $0.rules.isWhole = { _, _ in false } },
    ]

    private static let publishing = [
        Mutant(
            "a segment is sent before it is saved",
            harmless: "a device that finds newer files of its own takes another identity"
        ) { $0.order.publishing = [.send, .save] },
        Mutant("a segment is not saved") { $0.order.publishing = [.send] },
        Mutant(
            "a segment is only saved"
        ) { $0.order.publishing = [.save] },
        Mutant("nothing is published") { $0.order.publishing = [] },
        Mutant("the bytes of photographs are not sent") { $0.order.sendsAssets = false },
    ]

    private static let importing = [
        Mutant("what was joined is not saved") { $0.order.importing = [.commit, .record] },
        Mutant("an import is not recorded") { $0.order.importing = [.save, .commit] },
        Mutant("an import is only recorded") { $0.order.importing = [.save, .record] },
        Mutant("an import is not made") { $0.order.importing = [.save] },
    ]

    private static let compacting = [
        Mutant(
            "files are removed before the one that covers them is there",
            harmless: "a device whose files are missing writes a state"
        ) { $0.order.compacting = [.remove, .write, .save] },
        Mutant("the file that covers others is not written") {
            $0.order.compacting = [.save, .remove]
        },
        Mutant("removed items are never forgotten", harmless: "they are only remembered") {
            $0.rules.isAcknowledged = { _, _ in false }
        },
        Mutant(
            "covered files are not forgotten",
            harmless: "a device whose files are missing writes a state"
        ) { $0.order.compacting = [.write, .remove] },
        Mutant(
            "covered files stay", harmless: "they are read again, and have nothing new"
        ) { $0.order.compacting = [.write, .save] },
    ]
}
