/// What a replica gets from outside, which tests replace: the clock, chance, the rules, and the order of its steps.
package struct ReplicaEnvironment: Sendable {
    /// The time in milliseconds since 1970.
    package var now: @Sendable () -> Int
    /// A random number.
    package var random: @Sendable () -> UInt64
    package var rules = MergeRules()
    package var steps = SyncSteps()

    package init(
        now: @escaping @Sendable () -> Int, random: @escaping @Sendable () -> UInt64
    ) {
        (self.now, self.random) = (now, random)
    }
}

/// The steps of a sync, in the order in which they are done.
///
/// The order is what keeps changes from being lost: what a file says was seen is durable before the file, and so are the
/// bytes of photographs before the item that has them.
package struct SyncSteps: Sendable {
    package enum Publishing: Sendable {
        /// The local state, with the segment in it, is put on stable storage.
        case save
        /// The segment gets its place in the shared folder.
        case send
    }

    package enum Importing: Sendable {
        /// What was read is put on stable storage.
        case save
        /// The collections get their new items.
        case commit
        /// The local state says what the collections have.
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
