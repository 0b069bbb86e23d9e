// What libFuzzer calls with bytes of its own making; `.ci/fuzz` builds and runs it. FUZZ says what
// the bytes are to be: a journal, an index, names or an intent.

import Foundation

@testable import Directory
@testable import FileSystem
@testable import JSONCodec

/// An item with most kinds of values.
private struct Thing: Container, Asset {
    var id: Int
    var text: String?
    var numbers: [Double]?
    var flags: [String: Bool]?
    var fileName: String { text ?? "" }
    var folderName: String { text ?? "" }
}

private func check(_ holds: @autoclosure () throws -> Bool, _ fact: String) {
    if (try? holds()) != true { preconditionFailure("it does not hold that \(fact)") }
}

private func fuzzJournal(_ bytes: [UInt8]) {
    checkJournal(bytes)
    // The same as the body of a record that is whole otherwise, between two that are.
    var (tail, journal) = Journal.new(for: IndexFingerprint(of: []))
    let body = Journal.Record.Body.operations([.insert(bytes.prefix { $0 != 0x0A }, at: 0)])
    journal += tail.append(body)
    let head = Array(
        "\(tail.sequence) \(tail.checksum.hexadecimal) \(tail.end) \(bytes.count)\n".utf8)
    let checksum = CRC32.checksum(of: head + bytes)
    let record = head + bytes + Array("\(checksum.hexadecimal)\n".utf8)
    journal += record
    tail.durable = tail.end
    tail.end += record.count
    tail.checksum = checksum
    tail.sequence += 1
    checkJournal(journal + tail.append(body))
}

private func checkJournal(_ bytes: [UInt8]) {
    guard let journal = try? Journal(bytes) else { return }
    let end = journal.tail.end
    check((0...bytes.count).contains(end), "a journal ends in itself")
    check(try Journal(Array(bytes[..<end])).records == journal.records, "what is torn adds nothing")
    check(journal.records(after: journal.base) != nil, "a journal belongs to its base")
    var elements = IndexElements([Array("{}".utf8)[...]])
    for operation in journal.records.flatMap(\.operations) where elements.apply(operation) {}
    check(elements.lines.count < bytes.count + 2, "each operation adds one element at most")
    let reader = IndexReader<Thing>(options: .init(), url: URL(filePath: "/things.json"))
    _ = reader.snapshot(.init(), after: journal.records.map(\.operations))
}

private func fuzzIndex(_ bytes: [UInt8]) {
    let reader = IndexReader<Thing>(options: .init(), url: URL(filePath: "/things.json"))
    let pieces = try? reader.pieces(of: bytes)
    guard let elements = try? JSONScanner.elements(of: bytes) else {
        return check(pieces == nil, "what is no array has no items")
    }
    let lines = elements.map { $0.line(of: bytes) }
    let count = (pieces ?? []).reduce(0) { $0 + $1.slots.count + $1.failures.count }
    check(pieces != nil && count == lines.count, "each element is an item or damaged")
    let written = Array("[\n".utf8) + lines.joined(separator: ",\n".utf8) + Array("\n]\n".utf8)
    guard !lines.isEmpty else { return }
    check(
        try JSONScanner.elements(of: written).map { $0.line(of: written) } == lines,
        "what is written is what was read")
}

private func fuzzNames(_ bytes: [UInt8]) {
    if let name = FileName(bytes: bytes) {
        check(!name.bytes.contains(0) && !name.bytes.contains(0x2F), "a name is one component")
        check(name.folded == FileName(name.folded)?.folded ?? name.folded, "folding is final")
        let names = try? IndexNames("projects.json", in: URL(filePath: "/"))
        let isOurs = names.map { $0.isTemporary(name) || $0.isTransactionFolder(name) } ?? true
        check(!isOurs || bytes.count > 32, "what is ours has 128 random bits")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let names = try? IndexNames(text, in: URL(filePath: "/")) {
        let all = [names.index, names.lock, names.journal, names.stem]
        check(Set(all).count == 4, "an index has a name of its own")
        check(try names.isTemporary(names.newTemporary()), "temporary names are known")
        check(try names.isTransactionFolder(names.transactionFolder()), "folders are known")
    }
    let suffix = StagedAsset.fileExtension(of: text) ?? "x"
    check(FileName("a.\(suffix)") != nil && !suffix.isEmpty, "an extension can end a name")
    if let name = NameRules.visible(text) { check(!name.isHidden, "visible names have no dot") }
}

private func fuzzIntent(_ bytes: [UInt8]) {
    let line = Array(bytes.prefix { $0 != 0x0A })
    let whole = line + Array("\n\(String(CRC32.checksum(of: line), radix: 16))\n".utf8)
    for bytes in [bytes, whole] {
        guard let intent = Intent(bytes) else { continue }
        check(try Intent(intent.encoded()) == intent, "an intent is what was written")
        if let transfer = intent.transfer {
            check(transfer.peerPath(from: "/a/b").hasPrefix("/"), "a peer has an absolute path")
        }
    }
}

private let fuzz: ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["FUZZ"] {
    case "journal": fuzzJournal
    case "index": fuzzIndex
    case "names": fuzzNames
    case "intent": fuzzIntent
    default: preconditionFailure("FUZZ is none of journal, index, names and intent")
    }

/// Called by libFuzzer with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}
