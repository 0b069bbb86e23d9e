/// The parts that tests replace: the clock, random numbers, the rules, and the order of the steps of a sync.
package struct ReplicaEnvironment: Sendable {
    /// The time in milliseconds since 1970, within the bounds of the format.
    package var now: @Sendable () -> Int
    /// A random number.
    package var random: @Sendable () -> UInt64
    package var rules = MergeRules()
    package var steps = SyncSteps()

    package init(
        now: @escaping @Sendable () -> Int, random: @escaping @Sendable () -> UInt64
    ) {
        self.now = { min(max(now(), Limits.times.lowerBound), Limits.times.upperBound) }
        self.random = random
    }
}

/// The steps of a sync, in the order in which they are done.
///
/// The order keeps changes from being lost: the segments that a file names as seen are durable before the file, and the
/// bytes of photographs before the item that has them.
package struct SyncSteps: Sendable {
    package enum Publishing: Sendable {
        /// The local state, with the segment in it, is put on stable storage.
        case save
        /// The segment gets its place in the shared folder.
        case send
    }

    package enum Importing: Sendable {
        /// The segments that were read are put on stable storage.
        case save
        /// The collections get their new items.
        case commit
        /// The local state records the new items of the collections.
        case record
    }

    package enum Compacting: Sendable {
        /// The new file gets its place.
        case write
        /// The local state says which files there are.
        case save
        /// The files that it covers are removed.
        case remove
    }

    package var publishing: [Publishing] = [.save, .send]
    package var importing: [Importing] = [.save, .commit, .record]
    package var compacting: [Compacting] = [.write, .save, .remove]
    /// Whether the bytes of files are sent before the items that have them.
    package var sendsAssets = true

    package init() {}
}

/// Random numbers of an environment.
struct Chance: RandomNumberGenerator {
    let environment: ReplicaEnvironment

    mutating func next() -> UInt64 { environment.random() }
}
