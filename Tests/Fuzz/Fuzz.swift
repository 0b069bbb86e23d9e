// libFuzzer calls this program with bytes that it makes up; `.ci/fuzz` builds and runs it. The
// environment variable FUZZ names what the bytes stand for.

import Foundation

@testable import Directory
@testable import FileSystem
@testable import JSONCodec

/// An item that owns a folder and a file.
private struct Thing: Container, Asset {
    var id: Int
    var text: String?
    var numbers: [Double]?
    var flags: [String: Bool]?
    var fileName: String { text ?? "" }
    var folderName: String { text ?? "" }
}

/// Stops the fuzzer, which then keeps the bytes, if `condition` is false or throws.
func check(_ condition: @autoclosure () throws -> Bool, _ fact: String) {
    if (try? condition()) != true { preconditionFailure("this is false: \(fact)") }
}

private func fuzzJournal(_ bytes: [UInt8]) {
    checkJournal(bytes)
    // The bytes as the body of a record with valid checksums, between two valid records.
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

private let things = ItemCoding<Thing>(.init(), url: URL(filePath: "/things.json"))

private func checkJournal(_ bytes: [UInt8]) {
    guard let journal = try? Journal(bytes) else { return }
    let end = journal.tail.end
    check((0...bytes.count).contains(end), "a journal ends inside of its file")
    check(
        try Journal(Array(bytes[..<end])).records == journal.records,
        "a torn record changes nothing")
    check(journal.records(after: journal.base) != nil, "a journal belongs to its base")
    var lines = IndexLines([Array("{}".utf8)[...]])
    let operations = RecordedChanges(journal.records).operations
    for operation in operations where lines.apply(operation) {}
    check(lines.lines.count < bytes.count + 2, "each operation adds one line at most")
    _ = Snapshot.empty.applying(operations, things)
}

private func fuzzIndex(_ bytes: [UInt8]) {
    let chunks = try? IndexReader(things).chunks(of: bytes)
    guard let elements = try? JSONScanner.elements(of: bytes) else {
        return check(chunks == nil, "bytes that are not an array have no items")
    }
    let lines = elements.map { $0.line(of: bytes) }
    let count = (chunks ?? []).reduce(0) { $0 + $1.elements.count + $1.failures.count }
    check(chunks != nil && count == lines.count, "each element is an item or damaged")
    let written = Array("[\n".utf8) + lines.joined(separator: ",\n".utf8) + Array("\n]\n".utf8)
    guard !lines.isEmpty else { return }
    check(
        try JSONScanner.elements(of: written).map { $0.line(of: written) } == lines,
        "lines that are written are read again")
}

private func fuzzNames(_ bytes: [UInt8]) {
    if let name = FileName(bytes: bytes) {
        check(!name.bytes.contains(0) && !name.bytes.contains(0x2F), "a name is one component")
        check(
            name.folded == FileName(name.folded)?.folded ?? name.folded,
            "folding a folded name changes nothing")
        let names = try? IndexNames("projects.json", in: URL(filePath: "/"))
        let isOurs = names.map { $0.isTemporary(name) || $0.isTransactionFolder(name) } ?? true
        check(!isOurs || bytes.count > 32, "the names of temporary files have 128 random bits")
    }
    let text = String(decoding: bytes, as: UTF8.self)
    if let names = try? IndexNames(text, in: URL(filePath: "/")) {
        let all = [names.index, names.lock, names.journal, names.stem]
        check(Set(all).count == 4, "an index, its lock and its journal have different names")
        check(
            try names.isTemporary(names.newTemporary()), "names of temporary files are recognized")
        check(
            try names.isTransactionFolder(names.transactionFolder()),
            "names of transaction folders are recognized")
    }
    let suffix = StagedAsset.fileExtension(of: text) ?? "x"
    check(FileName("a.\(suffix)") != nil && !suffix.isEmpty, "a file extension can end a name")
    if let name = NameRules.visible(text) {
        check(!name.isHidden, "a visible name does not begin with a dot")
    }
}

private func fuzzIntent(_ bytes: [UInt8]) {
    for bytes in [bytes, withChecksum(bytes)] {
        guard let intent = Intent(bytes) else { continue }
        check(try Intent(intent.encoded()) == intent, "an intent that is written is read again")
    }
}

private func fuzzPart(_ bytes: [UInt8]) {
    let number = String(repeating: "0", count: 32)
    guard let part = JointPart(number, bytes.prefix { $0 != 0x0A }, []) else { return }
    check(
        try JointPart(number, JointPart(number, part.role, []).line[...], [])?.role == part.role,
        "a part that is written is read again")
}

/// The first line of `bytes`, and its checksum.
private func withChecksum(_ bytes: [UInt8]) -> [UInt8] {
    var line = Array(bytes.prefix { $0 != 0x0A }) + [0x0A]
    ChecksumLine.append(to: &line)
    return line
}

private let fuzz: ([UInt8]) -> Void =
    switch ProcessInfo.processInfo.environment["FUZZ"] {
    case "json": fuzzJSON
    case "journal": fuzzJournal
    case "index": fuzzIndex
    case "names": fuzzNames
    case "intent": fuzzIntent
    case "part": fuzzPart
    default: preconditionFailure("FUZZ must be json, journal, index, names, intent or part")
    }

/// Called by libFuzzer with each input.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ data: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    fuzz(Array(UnsafeBufferPointer(start: data, count: count)))
    return 0
}
