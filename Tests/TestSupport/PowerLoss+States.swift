package import FileSystem

extension PowerLoss {
    /// How many states are built where there are too many for all.
    package struct Effort: Sendable {
        /// The number of atoms up to which all subsets are built.
        package var exhaustive = 8
        /// Of more atoms, the number of random subsets besides the regular ones.
        package var samples = 256
        /// The number of ways to tear one write.
        package var tears = 32

        package init(exhaustive: Int = 8, samples: Int = 256, tears: Int = 32) {
            self.exhaustive = exhaustive
            self.samples = samples
            self.tears = tears
        }
    }

    /// A state that power loss may leave.
    package struct State: Sendable {
        /// The number of events before the power went.
        package var moment: Int
        /// Its number among those of the moment.
        package var number: Int
        /// What is durable and what survived besides.
        package var image: MemoryFileSystem.Image
    }

    /// Calls `body` with each state that losing power at one of `moments` may leave.
    ///
    /// What survives is every subset of what is not durable where that is little; else nothing,
    /// all, every prefix, each one missing, each one alone, and random subsets. Writes survive
    /// whole, and again each with some of its pieces torn. The same `seed` gives the same states
    /// of a moment, whatever the other moments are.
    package func forEachState(
        at moments: some Sequence<Int>, _ effort: Effort, seed: UInt64,
        _ body: (State) throws -> Void
    ) rethrows {
        var surface = Surface(of: self)
        for moment in moments {
            surface.move(to: moment)
            var random = SeededGenerator(seed: seed &+ UInt64(moment) &* 0x9E37_79B9)
            var number = 0
            try surface.forEachImage(effort, using: &random) { image in
                try body(State(moment: moment, number: number, image: image))
                number += 1
            }
        }
    }
}

extension PowerLoss {
    /// The numbers of the atoms that are not durable, at each of all moments.
    ///
    /// Where they are the same in two recordings of the same atoms, so are the states.
    package var pendingAtoms: [[Int]] {
        var surface = Surface(of: self)
        return moments.map { moment in
            surface.move(to: moment)
            return surface.pending
        }
    }
}

/// A disk while it is written to: what is durable, and what is not yet.
private struct Surface {
    private struct Place: Hashable {
        let folder: UInt64
        let name: FileName
    }

    private let loss: PowerLoss
    private var durable: MemoryFileSystem.Image
    private(set) var pending: [Int] = []
    /// The last durable atom that is about a name.
    private var lastDurable: [Place: Int] = [:]
    private var nextEvent = 0
    private var nextAtom = 0

    init(of loss: PowerLoss) {
        self.loss = loss
        durable = loss.start
    }

    /// Goes on to a later moment.
    mutating func move(to moment: Int) {
        while nextEvent < moment {
            switch loss.events[nextEvent] {
            case .acknowledged: break
            case .unit:
                while nextAtom < loss.atoms.count, loss.atoms[nextAtom].event == nextEvent {
                    hold(nextAtom)
                    nextAtom += 1
                }
            case .sync(let inode):
                let synced = pending.map { loss.concerns(loss.atoms[$0], inode) }
                keep(closed(synced))
            }
            nextEvent += 1
        }
    }

    /// Lets an atom wait, and forgets a write that two later ones cover.
    private mutating func hold(_ number: Int) {
        pending.append(number)
        guard case .write(let inode, let offset, let bytes) = loss.atoms[number].unit else {
            return
        }
        let covered = pending.filter { other in
            guard case .write(inode, let start, let old) = loss.atoms[other].unit else {
                return false
            }
            return other != number && start >= offset
                && start + old.count <= offset + bytes.count
        }
        if covered.count > 1 { pending.removeAll { $0 == covered[0] } }
    }

    /// Makes pending atoms durable.
    private mutating func keep(_ isKept: [Bool]) {
        for (position, number) in pending.enumerated() where isKept[position] {
            apply(number, to: &durable)
            for entry in loss.atoms[number].entries {
                lastDurable[Place(folder: entry.folder, name: entry.name)] = number
            }
        }
        pending = zip(pending, isKept).filter { !$0.1 }.map(\.0)
    }

    private func apply(
        _ number: Int, to image: inout MemoryFileSystem.Image, _ tear: Tear? = nil
    ) {
        switch loss.atoms[number].unit {
        case .write(let inode, let offset, let bytes):
            image.write(bytes, to: inode, at: offset, tear)
        case .truncation(let inode, let size): image.truncate(inode, to: size)
        case .entries(let entries):
            for entry in entries {
                let last = lastDurable[Place(folder: entry.folder, name: entry.name)] ?? -1
                if last < number { image.apply(entry) }
            }
        }
    }

    /// The pending atoms in a subset, with those that they need.
    private func closed(_ chosen: [Bool]) -> [Bool] {
        var closed = chosen
        for position in pending.indices.reversed() where closed[position] {
            for need in loss.atoms[pending[position]].needs {
                if let needed = self.position(of: need) { closed[needed] = true }
            }
        }
        return closed
    }

    private func position(of number: Int) -> Int? {
        var (low, high) = (0, pending.count)
        while low < high {
            let middle = (low + high) / 2
            if pending[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < pending.count && pending[low] == number ? low : nil
    }
}

extension Surface {
    func forEachImage(
        _ effort: PowerLoss.Effort, using random: inout SeededGenerator,
        _ body: (MemoryFileSystem.Image) throws -> Void
    ) rethrows {
        for choice in choices(effort, using: &random) {
            try body(image(choice, [:]))
            // Where there are too many subsets for all, those are torn at random.
            guard pending.count > effort.exhaustive else { continue }
            let tears = randomTears(choice, effort, using: &random)
            if !tears.isEmpty { try body(image(choice, tears)) }
        }
        let all = [Bool](repeating: true, count: pending.count)
        for (position, number) in pending.enumerated() {
            guard case .write(_, let offset, let bytes) = loss.atoms[number].unit else { continue }
            var alone = all.map { !$0 }
            alone[position] = true
            let range = offset..<offset + bytes.count
            for tear in Tear.all(of: range, limit: effort.tears, using: &random) {
                try body(image(all, [number: tear]))
                if pending.count > 1 { try body(image(alone, [number: tear])) }
            }
        }
    }

    private func randomTears(
        _ choice: [Bool], _ effort: PowerLoss.Effort, using random: inout SeededGenerator
    ) -> [Int: Tear] {
        var tears: [Int: Tear] = [:]
        for (number, isChosen) in zip(pending, choice) where isChosen {
            guard case .write(_, let offset, let bytes) = loss.atoms[number].unit,
                Bool.random(using: &random)
            else { continue }
            let range = offset..<offset + bytes.count
            tears[number] = Tear.all(of: range, limit: effort.tears, using: &random)
                .randomElement(using: &random)
        }
        return tears
    }

    /// What the disk holds if just a subset of what is pending reached it.
    private func image(_ choice: [Bool], _ tears: [Int: Tear]) -> MemoryFileSystem.Image {
        var image = durable
        for (number, isChosen) in zip(pending, choice) where isChosen {
            apply(number, to: &image, tears[number])
        }
        return image.withoutUnreachable
    }

    /// The subsets of what is pending that survive, each once.
    private func choices(_ effort: PowerLoss.Effort, using random: inout SeededGenerator)
        -> [[Bool]]
    {
        let count = pending.count
        var seen: Set<[Bool]> = []
        var choices: [[Bool]] = []
        func add(_ isChosen: (Int) -> Bool) {
            let choice = closed((0..<count).map(isChosen))
            if seen.insert(choice).inserted { choices.append(choice) }
        }
        if count <= effort.exhaustive {
            for bits in 0..<(1 << count) { add { bits >> $0 & 1 == 1 } }
            return choices
        }
        for length in 0...count { add { $0 < length } }
        for one in 0..<count {
            add { $0 != one }
            add { $0 == one }
        }
        for _ in 0..<effort.samples {
            var bits: UInt64 = 0
            add { position in
                if position % 64 == 0 { bits = random.next() }
                return bits >> UInt64(position % 64) & 1 == 1
            }
        }
        return choices
    }
}
