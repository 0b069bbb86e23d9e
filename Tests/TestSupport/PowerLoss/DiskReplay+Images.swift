import FileSystem

extension DiskReplay {
    /// Calls `body` with each image of the disk that a power loss can leave now.
    func forEachImage(
        _ effort: PowerLoss.Effort, using random: inout SeededGenerator,
        _ body: (MemoryFileSystem.Image) throws -> Void
    ) rethrows {
        for choice in choices(effort, using: &random) {
            try body(image(choice, [:]))
            // If there are too many subsets for all tears, each subset gets random ones.
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

    /// Random tears of some of the chosen writes.
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

    /// The disk if just a subset of the pending atoms reached it.
    private func image(_ choice: [Bool], _ tears: [Int: Tear]) -> MemoryFileSystem.Image {
        var image = durable
        for (number, isChosen) in zip(pending, choice) where isChosen {
            apply(number, to: &image, tears[number])
        }
        return image.withoutUnreachable
    }

    /// The subsets of the pending atoms that survive, each once.
    private func choices(_ effort: PowerLoss.Effort, using random: inout SeededGenerator)
        -> [[Bool]]
    {
        let count = pending.count
        var seen: Set<[Bool]> = []
        var choices: [[Bool]] = []
        func add(_ isChosen: (Int) -> Bool) {
            let choice = withNeeds(of: (0..<count).map(isChosen))
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
