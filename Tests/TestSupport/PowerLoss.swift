package import FileSystem

/// What power loss may leave of a recorded disk.
///
/// At each moment some units are durable, because something was synced after them, and the
/// others may each be there or not. How free they are is the profile's matter.
package struct PowerLoss: Sendable {
    /// What a file system promises about the order of what was not synced.
    package enum Profile: CaseIterable, Sendable {
        /// Nothing but what POSIX says: a sync concerns the bytes of one file, or the names in
        /// one folder, and all else comes in any order.
        case posix
        /// Names become durable in order, and every sync makes all earlier ones durable, as in
        /// the journals of ext4 and XFS; bytes come in any order.
        case ordered
    }

    package let disk: RecordedDisk
    package let profile: Profile
    private let events: [RecordedDisk.Event]

    package init(_ disk: RecordedDisk, _ profile: Profile) {
        self.disk = disk
        self.profile = profile
        events = disk.events
    }

    /// The moments to lose power at: before the first event, and after each.
    package var moments: ClosedRange<Int> { 0...events.count }

    /// Whether the caller had been told, before `moment`, that all is done.
    package func isAcknowledged(at moment: Int) -> Bool {
        events[..<moment].contains { if case .acknowledged = $0 { true } else { false } }
    }

    /// Calls `body` with each state that losing power at `moment` may leave.
    ///
    /// All subsets of what is not durable where these are few; else none, all, every prefix,
    /// each one missing, each one alone, and random ones up to `samples`.
    package func forEachState(
        at moment: Int, samples: Int, using random: inout some RandomNumberGenerator,
        _ body: (MemoryFileSystem.Image) throws -> Void
    ) rethrows {
        let (durable, pending) = split(at: moment)
        for chosen in choices(pending, samples: samples, using: &random) {
            let kept = durable.union(closed(chosen, in: pending))
            try body(image(of: kept, torn: Set(pending), using: &random))
        }
    }

    /// The numbers of the units before `moment` that are durable, and of those that are not.
    private func split(at moment: Int) -> (durable: Set<Int>, pending: [Int]) {
        var durable: Set<Int> = []
        var pending: [Int] = []
        for number in 0..<moment {
            switch events[number] {
            case .acknowledged: continue
            case .unit: pending.append(number)
            case .sync(let inode):
                let synced = pending.filter { concerns($0, inode) }
                durable.formUnion(synced)
                pending.removeAll(where: durable.contains)
            }
        }
        return (durable, pending)
    }

    private func concerns(_ number: Int, _ inode: UInt64) -> Bool {
        guard case .unit(let unit) = events[number] else { return false }
        switch unit {
        case .write(let written, _, _), .truncation(let written, _): return written == inode
        case .entries(let entries):
            return profile == .ordered || entries.contains { $0.folder == inode }
        }
    }

    private func choices(
        _ pending: [Int], samples: Int, using random: inout some RandomNumberGenerator
    ) -> [Set<Int>] {
        if pending.count <= 8 {
            return (0..<(1 << pending.count)).map { bits in
                Set(pending.indices.filter { bits >> $0 & 1 == 1 }.map { pending[$0] })
            }
        }
        var choices = (0...pending.count).map { Set(pending.prefix($0)) }
        choices += pending.map { Set(pending).subtracting([$0]) }
        choices += pending.map { [$0] }
        while choices.count < samples {
            choices.append(Set(pending.filter { _ in Bool.random(using: &random) }))
        }
        return choices
    }

    /// The chosen units with those that cannot be missing beside them: every earlier change of
    /// names where these are ordered, else every earlier one that gave the same file a name.
    private func closed(_ chosen: Set<Int>, in pending: [Int]) -> Set<Int> {
        var closed = chosen
        for number in pending.reversed() where closed.contains(number) {
            guard case .unit(.entries) = events[number] else { continue }
            let named = namedInodes(number)
            for earlier in pending where earlier < number {
                guard case .unit(.entries) = events[earlier] else { continue }
                let isSameFile = !named.isDisjoint(with: namedInodes(earlier))
                if profile == .ordered || isSameFile { closed.insert(earlier) }
            }
        }
        return closed
    }

    private func namedInodes(_ number: Int) -> Set<UInt64> {
        guard case .unit(.entries(let entries)) = events[number] else { return [] }
        return Set(entries.compactMap { $0.target?.inode })
    }
}

extension PowerLoss {
    /// What the disk holds if just the units with the numbers `kept` reached it; those in `torn`
    /// perhaps not whole.
    private func image(
        of kept: Set<Int>, torn: Set<Int>, using random: inout some RandomNumberGenerator
    ) -> MemoryFileSystem.Image {
        var image = disk.start
        for number in kept.sorted() {
            guard case .unit(let unit) = events[number] else { continue }
            switch unit {
            case .entries(let entries): for entry in entries { image.apply(entry) }
            case .write(let inode, let offset, var bytes):
                if torn.contains(number) { bytes = tear(bytes, using: &random) }
                image.write(bytes, to: inode, at: offset)
            case .truncation(let inode, let size): image.truncate(inode, to: size)
            }
        }
        return image.withoutUnreachable
    }

    /// Bytes that were being written when the power went: whole, or 512-byte pieces of them with
    /// zeros or garbage in place of the rest.
    private func tear(_ bytes: [UInt8], using random: inout some RandomNumberGenerator) -> [UInt8] {
        let size = 512 * Int.random(in: 0...(bytes.count / 512), using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Array(bytes.prefix(size))
        case 1: return bytes.indices.map { $0 < size ? bytes[$0] : 0 }
        case 2:
            return bytes.indices.map {
                $0 < size ? bytes[$0] : .random(in: 0...255, using: &random)
            }
        default: return bytes
        }
    }
}

extension MemoryFileSystem.Image {
    fileprivate mutating func apply(_ entry: RecordedDisk.Entry) {
        if let target = entry.target, contents[target.inode] == nil {
            contents[target.inode] = target.isFolder ? .folder([:]) : .file([])
        }
        guard case .folder(var entries)? = contents[entry.folder] ?? .folder([:]) else { return }
        entries[entry.name] = entry.target?.inode
        contents[entry.folder] = .folder(entries)
    }

    fileprivate mutating func write(_ bytes: [UInt8], to inode: UInt64, at offset: Int) {
        guard case .file(var content)? = contents[inode] ?? .file([]) else { return }
        let end = offset + bytes.count
        if content.count < end { content += repeatElement(0, count: end - content.count) }
        content.replaceSubrange(offset..<end, with: bytes)
        contents[inode] = .file(content)
    }

    fileprivate mutating func truncate(_ inode: UInt64, to size: Int) {
        guard case .file(let content)? = contents[inode] else { return }
        contents[inode] = .file(Array(content.prefix(size)))
    }

    /// The same without files and folders that no name leads to.
    fileprivate var withoutUnreachable: Self {
        var reachable: [UInt64: Content] = [:]
        var open = [Self.root]
        while let inode = open.popLast() {
            guard reachable[inode] == nil, let content = contents[inode] else { continue }
            reachable[inode] = content
            if case .folder(let entries) = content { open += entries.values }
        }
        var image = self
        image.contents = reachable
        return image
    }
}
