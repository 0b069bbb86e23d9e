package import FileSystem

extension PowerLoss {
    /// How many states are built if there are too many for all.
    package struct Effort: Sendable {
        /// All subsets are built of up to this number of atoms.
        package var exhaustive = 8
        /// The number of random subsets of more atoms.
        package var samples = 256
        /// The largest number of ways to tear one write.
        package var tears = 32
        /// The largest number of states of a moment, which are random ones of those above.
        package var limit = Int.max

        package init(
            exhaustive: Int = 8, samples: Int = 256, tears: Int = 32, limit: Int = .max
        ) {
            self.exhaustive = exhaustive
            self.samples = samples
            self.tears = tears
            self.limit = limit
        }

        /// Effort that in a sample builds few states of each moment.
        package static func sampled(exhaustive: Int, samples: Int, tears: Int) -> Effort {
            Effort(
                exhaustive: exhaustive, samples: samples, tears: tears,
                limit: TestSize.choose(sample: 3, gate: .max, full: .max))
        }
    }

    /// A state that a power loss can leave.
    package struct State: Sendable {
        /// The number of events before the power loss.
        package var moment: Int
        /// The number of this state among those of the moment.
        package var number: Int
        package var image: MemoryFileSystem.Image
    }

    /// Calls `body` with each state that a power loss at one of `moments` can leave.
    ///
    /// All durable atoms survive, and a subset of the others: every subset if the atoms are few; or
    /// else none, all, every prefix, all but each one, each one alone, and random subsets. Writes
    /// survive whole, and again each with some of its pieces torn. The same `seed` gives the same
    /// states of a moment, whatever the other moments are.
    package func forEachState(
        at moments: some Sequence<Int>, _ effort: Effort, seed: UInt64,
        _ body: (State) throws -> Void
    ) rethrows {
        var replay = DiskReplay(of: self)
        for moment in moments {
            replay.advance(to: moment)
            var random = SeededGenerator(seed: seed &+ UInt64(moment) &* 0x9E37_79B9)
            var number = 0
            var some: [State] = []
            try replay.forEachImage(effort, using: &random) { image in
                let state = State(moment: moment, number: number, image: image)
                number += 1
                if effort.limit == .max { try body(state) } else { some.append(state) }
            }
            for state in some.shuffled(using: &random).prefix(effort.limit) { try body(state) }
        }
    }
}

extension PowerLoss {
    /// The numbers of the atoms that are not durable, for each moment.
    ///
    /// If these are equal in two recordings of the same atoms, so are the states.
    package var pendingAtoms: [[Int]] {
        var replay = DiskReplay(of: self)
        return moments.map { moment in
            replay.advance(to: moment)
            return replay.pending
        }
    }
}
