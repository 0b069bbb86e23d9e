package import FileSystem

extension RecordedDisk {
    /// The moment now: the number of events so far.
    package var moment: Int { events.count }

    /// A random state that a power loss at `moment` can leave.
    package func losePower(at moment: Int, using random: inout SeededGenerator)
        -> MemoryFileSystem.Image
    {
        let profiles = PowerLoss.Profile.allCases
        let profile = profiles[Int.random(in: profiles.indices, using: &random)]
        var images: [MemoryFileSystem.Image] = []
        PowerLoss(self, profile).forEachState(
            at: [moment], .init(exhaustive: 4, samples: 4, tears: 1), seed: random.next()
        ) { images.append($0.image) }
        return images[Int.random(in: images.indices, using: &random)]
    }
}
