import FileSystem
import JSONCodec

/// The part of one index in a write to several collections.
struct JointPart: Hashable, Sendable {
    /// What the index is in the write.
    ///
    /// Indirect, because a part is rare, and what has room for one is copied with each commit.
    indirect enum Role: Hashable, Sendable {
        /// The home: its next record decides whether the write takes place.
        case home(JointHome)
        /// Another participant: its part counts if the home has decided that the write takes place.
        case participant(JointParticipant)
        /// Something that only a later version of the library knows.
        case unknown(machine: String?)
    }

    /// 32 random digits, which no other write has.
    let number: String
    let role: Role
    /// What the write changes in the index.
    let operations: [LineOperation]
    /// The first line of the record after the number, in JSON.
    let line: [UInt8]
    /// Whether the home has decided that the write takes place.
    var isCommitted = false
    /// The length of the record in bytes, once it is in a journal.
    var size = 0

    init(_ number: String, _ role: Role, _ operations: [LineOperation]) throws {
        (self.number, self.role, self.operations) = (number, role, operations)
        var encoder = LineEncoder()
        line =
            switch role {
            case .home(let home): Array(try encoder.line(of: home))
            case .participant(let participant):
                Array(try encoder.line(of: participant))
            case .unknown(let machine): Array(try encoder.line(of: Unknown(machine: machine)))
            }
    }

    /// Parses the line of a record; nil if it is no JSON object.
    init?(_ number: String, _ line: ArraySlice<UInt8>, _ operations: [LineOperation]) {
        let bytes = Array(line)
        if let home = try? LineDecoder.decode(JointHome.self, from: bytes), home.isConsistent {
            role = .home(home)
        } else if let participant = try? LineDecoder.decode(JointParticipant.self, from: bytes) {
            role = .participant(participant)
        } else if let unknown = try? LineDecoder.decode(Unknown.self, from: bytes) {
            role = .unknown(machine: unknown.machine)
        } else {
            return nil
        }
        (self.number, self.operations, self.line) = (number, operations, bytes)
    }

    private struct Unknown: Codable { var machine: String? }

    /// The number of a write in `digits`; nil if they are none.
    static func number(_ digits: ArraySlice<UInt8>) -> String? {
        RandomName.areDigits(digits) ? String(decoding: digits, as: UTF8.self) : nil
    }
}

extension JointPart {
    /// The machine that began the write; nil if that is not known.
    var machine: String? {
        switch role {
        case .home(let home): home.machine
        case .participant(let participant): participant.machine
        case .unknown(let machine): machine
        }
    }

    /// Names that nothing else may get before the write has ended, because something may come back to them.
    var movedNames: [FileName] {
        switch role {
        case .home(let home): (home.moves ?? []).flatMap { $0.names + ($0.newNames ?? []) }
        case .participant(let participant): participant.names ?? []
        case .unknown: []
        }
    }
}

/// The home of a write to several collections whose part in this index is ended.
struct KnownHome: Sendable {
    let number: String
    let participant: JointParticipant
}

/// What records of a journal say together.
struct RecordedChanges {
    /// The line operations that count.
    private(set) var operations: [LineOperation] = []
    /// The size of the records that these are in, in bytes.
    private(set) var size = 0
    /// The part in a write to several collections that is not ended.
    private(set) var joint: JointPart?
    /// The homes of the writes whose parts are ended, each with the last of these writes.
    private(set) var homes: [KnownHome] = []

    init(after journal: KnownJournal? = nil) {
        (joint, homes) = (journal?.joint, journal?.homes ?? [])
    }

    init(_ records: some Sequence<Journal.Record>) {
        for record in records { add(record.body, size: record.size) }
    }

    /// Adds a record of `size` bytes.
    mutating func add(_ body: Journal.Record.Body, size: Int) {
        switch body {
        case .operations(let new):
            operations += new
            self.size += size
        case .checkpoint:
            // Only the end of a conflict leaves a part behind, which it drops.
            joint = nil
        case .prepared(var part):
            part.size = size
            joint = part
        case .committed(let number):
            guard var part = joint, part.number == number, !part.isCommitted else { return }
            operations += part.operations
            if !part.operations.isEmpty { self.size += part.size }
            part.isCommitted = true
            joint = part
            endParticipant()
        case .ended(let number):
            guard joint?.number == number else { return }
            endParticipant()
            joint = nil
        }
    }

    /// Ends the part, unless it is that of the home.
    private mutating func endParticipant() {
        guard let part = joint, case .participant(let new) = part.role else { return }
        joint = nil
        homes.removeAll {
            $0.participant.homePaths == new.homePaths && $0.participant.home == new.home
        }
        homes.append(KnownHome(number: part.number, participant: new))
    }
}
