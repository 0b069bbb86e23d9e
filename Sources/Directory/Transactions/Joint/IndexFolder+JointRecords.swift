import FileSystem

extension IndexFolder {
    /// The list or pointer that this index has of the transaction `name`; nil if it has none.
    ///
    /// An incomplete file is ignored: it is synced before anything moves.
    func jointRecord(of name: FileName) throws -> JointRecord? {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return nil }
        for file in [JointList.committed, JointList.undecided] {
            let record = try fileSystem.readAll(file, in: own).flatMap { JointRecord($0, in: file) }
            if let record { return record }
        }
        return nil
    }

    /// Writes a list or a pointer durably to the folder of the transaction `name`.
    func write(_ record: some Encodable, to name: FileName) throws {
        let own = try openOrMake(name, in: IndexNames.staging)
        let file = try makeFile(JointList.undecided, in: own)
        try fileSystem.write(CheckedLine.encode(record), to: file, at: 0)
        try syncTransaction(name, with: [file])
    }

    /// Renames the list of the transaction `name`, durably: from now on, the write has taken place unless the list is
    /// removed, even if the indexes with new lines are edited.
    func decideJointWrite(_ name: FileName) throws {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return }
        try fileSystem.move(JointList.undecided, in: own, to: JointList.committed, in: own)
        try fileSystem.sync(own)
    }

    /// Removes the list of the write with `number` durably, and then the pointers in `participants`.
    func removeJointWrite(_ number: String, in participants: [IndexFolder]) throws {
        try removeJointRecord(of: names.transactionFolder(number), durably: true)
        for participant in participants where try !participant.isSame(as: self) {
            // Best effort: a pointer without a list means nothing.
            try? participant.removeJointRecord(
                of: participant.names.transactionFolder(number), durably: false)
        }
    }

    /// Removes the list or pointer that this index has of the transaction `name`.
    ///
    /// The list of the home is removed first, and durably: if it came back after a power loss, recovery could give an
    /// index its lines from before or after the write again.
    func removeJointRecord(of name: FileName, durably: Bool) throws {
        guard let own = try openFolder(name, in: IndexNames.staging) else { return }
        for file in [JointList.undecided, JointList.committed] {
            _ = try fileSystem.unlessMissing { try fileSystem.removeFile(file, in: own) }
        }
        if durably { try fileSystem.sync(own) }
        if let staging = try openFolder(IndexNames.staging) {
            removeIfEmpty(name, in: staging)
            removeIfEmpty(IndexNames.staging)
        }
    }
}

extension IndexFingerprint {
    /// The fingerprint of `lines` with commas and newlines between them, wherever they are written.
    init(ofLines lines: some Sequence<ArraySlice<UInt8>>) {
        var checksum = CRC32()
        var length = 0
        let separator = Array(",\n".utf8)
        for line in lines {
            if length > 0 {
                separator.withUnsafeBytes { checksum.update($0) }
                length += separator.count
            }
            line.withUnsafeBytes { checksum.update($0) }
            length += line.count
        }
        self.init(length: length, checksum: checksum.checksum)
    }
}
