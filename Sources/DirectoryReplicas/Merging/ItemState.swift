package import FileSystem
import JSONCodec

/// The bytes of an asset: the name that its item gives it, the hash and the size in bytes.
package struct FileValue: Hashable, Sendable {
    package var name: String
    package var hash: SHA256.Digest
    package var size: Int

    package init(name: String, hash: SHA256.Digest, size: Int) {
        (self.name, self.hash, self.size) = (name, hash, size)
    }
}

/// One item of a state, also if it was removed.
///
/// Most items were written by one segment, and keep its line. In the others each member has a register.
package struct ItemState: Sendable {
    /// An item that one segment wrote as a whole.
    ///
    /// It is a class because all copies of a state, and the base, share it.
    package final class Plain: Sendable {
        let stamp: Stamp
        let removed: Removal
        let container: ItemKey?
        let position: Position
        let file: FileValue?
        /// A JSON object in one line.
        let line: ArraySlice<UInt8>

        init(
            stamp: Stamp, removed: Removal = .nothing, container: ItemKey?, position: Position,
            file: FileValue?, line: ArraySlice<UInt8>
        ) {
            (self.stamp, self.removed, self.container) = (stamp, removed, container)
            (self.position, self.file, self.line) = (position, file, line)
        }
    }

    /// The registers of an item.
    package struct Registers: Hashable, Sendable {
        /// The container; the value is nil for items of the root.
        var container = Register<ItemKey?>()
        var position = Register<Position>()
        var file = Register<FileValue>()
        /// By the names of the members; a value is nil if the member was removed.
        var members: [String: Register<ArraySlice<UInt8>?>] = [:]
    }

    package enum Form: Sendable {
        case plain(Plain)
        indirect case registers(Registers)
    }

    package var form: Form
    /// The removals of the item that no later removal had seen.
    package var removals: [Stamp]

    package init(_ form: Form, removals: [Stamp] = []) {
        (self.form, self.removals) = (form, removals)
    }

    package init() { self.init(.registers(.init())) }
}

extension ItemState: WrittenValue {
    init(_ plain: Plain) { self.init(.plain(plain)) }

    /// What one segment wrote, if that is all, and the item lives.
    var living: Plain? {
        guard case .plain(let plain) = form, plain.removed == .nothing else { return nil }
        return plain
    }

    /// The registers, also of a plain item.
    package var registers: Registers {
        switch form {
        case .registers(let registers): return registers
        case .plain(let plain):
            var registers = Registers()
            let (stamp, removed) = (plain.stamp, plain.removed)
            registers.container = Register([.init(plain.container, stamp, removed: removed)])
            registers.position = Register([.init(plain.position, stamp, removed: removed)])
            if let file = plain.file {
                registers.file = Register([.init(file, stamp, removed: removed)])
            }
            // The line was checked when it was read.
            for member in (try? JSONMembers.all(of: plain.line)) ?? [] {
                registers.members[member.name] = Register([
                    .init(member.value, stamp, removed: removed)
                ])
            }
            return registers
        }
    }

    /// Whether somebody wrote a part of the item, not only its place in the order, without knowing of its removal.
    package var isAlive: Bool {
        switch form {
        case .plain(let plain): plain.removed == .nothing
        case .registers(let registers): registers.isAlive
        }
    }

    /// Whether the place of a container is alive, and no member: it was removed, and somebody else has moved it.
    var livesByItsPlace: Bool {
        guard case .registers(let registers) = form else { return false }
        return registers.container.isAlive && !registers.members.values.contains(where: \.isAlive)
    }

    /// Whether a value of the item is removed only with a container.
    var isRemovedWithContainer: Bool {
        switch form {
        case .plain(let plain): plain.removed == .container
        case .registers(let registers): registers.isRemovedWithContainer
        }
    }

    /// The same item as if no container with it had been removed.
    ///
    /// It is never plain, because the base keeps a plain item as the line of the state, which says that it was removed.
    var revived: Self {
        var registers = registers
        registers.revive()
        return Self(.registers(registers), removals: removals)
    }

    /// Whether a member has several values.
    var isContested: Bool {
        guard case .registers(let registers) = form else { return false }
        return registers.members.values.contains { $0.entries.count > 1 }
    }

    /// The hashes of all files that the item has or may have.
    package var files: [SHA256.Digest] {
        switch form {
        case .plain(let plain): plain.file.map { [$0.hash] } ?? []
        case .registers(let registers): registers.file.entries.map(\.value.hash)
        }
    }

    func container(_ rules: MergeRules) -> Register<ItemKey?>.Entry? {
        switch form {
        case .plain(let plain): .init(plain.container, plain.stamp, removed: plain.removed)
        case .registers(let registers): registers.container.winner(rules)
        }
    }

    func position(_ rules: MergeRules) -> Register<Position>.Entry? {
        switch form {
        case .plain(let plain): .init(plain.position, plain.stamp, removed: plain.removed)
        case .registers(let registers): registers.position.winner(rules)
        }
    }

    func file(_ rules: MergeRules) -> FileValue? {
        switch form {
        case .plain(let plain): plain.file
        case .registers(let registers): registers.file.winner(rules)?.value
        }
    }
}

extension ItemState {
    /// `shown` without the segments that wrote living values of the item, and those after them; nil if that is all of it.
    func segmentsWithoutLivingValues(in shown: VersionVector) -> VersionVector? {
        var seen = shown
        for dot in livingDots where seen.covers(dot) { seen[dot.device] = dot.number - 1 }
        return seen == shown ? nil : seen
    }

    /// Whether one device wrote everything that lives of the item.
    func isOnly(of device: DeviceID) -> Bool { livingDots.allSatisfy { $0.device == device } }

    private var livingDots: [Dot] {
        let registers = registers
        return registers.container.livingDots + registers.position.livingDots
            + registers.file.livingDots + registers.members.values.flatMap(\.livingDots)
    }
}

extension ItemState {
    /// Whether the item has a file that a device which has shown `seen` does not know.
    func hasFile(notIn seen: VersionVector, _ rules: MergeRules) -> Bool {
        registers.file.winner(rules).map { !seen.covers($0.stamp.dot) } ?? false
    }
}

extension Register {
    fileprivate var isAlive: Bool { entries.contains { $0.removed == .nothing } }

    fileprivate var isRemovedWithContainer: Bool {
        entries.contains { $0.removed == .container }
    }

    fileprivate mutating func revive() {
        self = Register(
            entries.map {
                Entry($0.value, $0.stamp, removed: $0.removed == .container ? .nothing : $0.removed)
            })
    }

    fileprivate var livingDots: [Dot] { entries.filter { $0.removed == .nothing }.map(\.stamp.dot) }
}

extension ItemState.Plain {
    /// The key according to the member `id` of the line, which can differ from the key of the item: a UUID, or the key
    /// that this text has in the container; nil if the member is missing, or not text.
    var keyInLine: ItemKey? {
        guard let id = JSONMembers.value(of: "id", in: line) else { return nil }
        if let uuid = JSONMembers.uuid(of: id) { return .uuid(uuid) }
        return JSONMembers.text(of: id).flatMap { text in
            text.isEmpty ? nil : ItemKey(id: text, in: container)
        }
    }
}

extension ItemState.Registers {
    var isAlive: Bool {
        container.isAlive || file.isAlive || members.values.contains(where: \.isAlive)
    }

    fileprivate var isRemovedWithContainer: Bool {
        container.isRemovedWithContainer || file.isRemovedWithContainer
            || members.values.contains(where: \.isRemovedWithContainer)
    }

    fileprivate mutating func revive() {
        container.revive()
        position.revive()
        file.revive()
        for name in members.keys { members[name]?.revive() }
    }

    var isEmpty: Bool {
        container.isEmpty && position.isEmpty && file.isEmpty && members.isEmpty
    }
}

extension ItemState: Hashable {
    package static func == (left: Self, right: Self) -> Bool {
        Set(left.removals) == Set(right.removals) && left.registers == right.registers
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(Set(removals))
        hasher.combine(registers)
    }
}
