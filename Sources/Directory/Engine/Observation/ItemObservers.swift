import Observation
import Synchronization

/// The observers of single items.
///
/// Each observed item has a number of its own. A number stands for one of many registrars and one
/// of 1,024 key paths, so an observer of one item is not told about others. A key path for each
/// item would be as exact, but making it takes 0.8 µs, about as long as reading the item, and
/// observing it 40 times as long as observing one that exists (Swift 6.3 on Linux).
///
/// A read does not know whether it is observed. So there are numbers for 131,072 items, and removed items leave theirs to
/// others. Any further items share numbers by 20 bits of the hash of their ids: an observer of such an item is told about
/// one other item in a million.
final class ItemObservers: Observable, Sendable {
    private static let paths: [any KeyPath<ItemObservers, Void> & Sendable] =
        (0..<1024).map { \.[number: $0] }

    private let numbers: Mutex<ItemNumbers>

    /// Creates the observers, with numbers of their own for `capacity` items.
    init(capacity: Int = 1 << 17) { numbers = Mutex(ItemNumbers(capacity: capacity)) }

    private subscript(number number: Int) -> Void { () }
}

extension ItemObservers {
    /// Records that the current observer depends on the item whose id has `hash`.
    ///
    /// This is called before the item is read. So a thread that changes the item meanwhile finds
    /// its number, or the reader sees the change.
    func access(_ hash: Int) {
        while true {
            let (registrar, number, removals) = numbers.withLock { numbers in
                let number = numbers.number(for: hash)
                return (numbers.registrar(of: number), number, numbers.removals)
            }
            registrar.value.access(self, keyPath: Self.paths[number & 1023])
            // A removal of the item meanwhile may have freed the number.
            if numbers.withLock({ $0.removals == removals }) { return }
        }
    }

    /// Whether a single item was ever observed.
    var areThereAny: Bool { numbers.withLock { !$0.registrars.isEmpty } }

    /// Tells the observers of the items whose ids have `hashes` of a change.
    ///
    /// If the items were removed, others can get their numbers.
    func change(_ hashes: [Int], areRemoved: Bool = false) {
        if hashes.isEmpty { return }
        let (observed, removed) = numbers.withLock { numbers in
            var observed: [(registrar: Registrar, number: Int)] = []
            var removed: [Int] = []
            for hash in hashes {
                // An item may have got its own number after it shared one.
                for number in [numbers.ownNumber(of: hash), numbers.sharedNumber(for: hash)] {
                    guard let number, let registrar = numbers.knownRegistrar(of: number) else {
                        continue
                    }
                    observed.append((registrar, number))
                }
                if areRemoved, let number = numbers.remove(hash) { removed.append(number) }
            }
            return (observed, removed)
        }
        for (registrar, number) in observed {
            registrar.value.withMutation(of: self, keyPath: Self.paths[number & 1023]) {}
        }
        // An observer that was told may already observe another item, which must not get a number whose
        // observers are still to be told.
        if !removed.isEmpty { numbers.withLock { $0.free += removed } }
    }
}

/// A class, so that handing it on costs one reference.
private final class Registrar: Sendable {
    let value = ObservationRegistrar()
}

/// The numbers of the items.
private struct ItemNumbers {
    /// The number of shared numbers.
    private static let shared = 1 << 20
    /// The number of items that can have a number of their own.
    private let capacity: Int

    /// The numbers below the capacity, by the hash of the id.
    private var own = NumberTable()
    /// How often a number was taken from an item.
    private(set) var removals = 0
    /// Numbers below ``end`` that no item has.
    var free: [Int] = []
    /// The first number that was never given.
    private var end = 0
    /// A registrar for each 1,024 numbers, made when it is needed.
    private(set) var registrars: [Registrar?] = []

    init(capacity: Int) { self.capacity = capacity }

    /// The number of the item whose id has `hash`; gives it one if it has none.
    mutating func number(for hash: Int) -> Int {
        if let number = ownNumber(of: hash) { return number }
        let number: Int
        if let last = free.popLast() {
            number = last
        } else {
            guard end < capacity else { return sharedNumber(for: hash) }
            number = end
            end += 1
        }
        own.insert(Int32(number), hash)
        return number
    }

    /// The number that only the item whose id has `hash` has; nil if it has none.
    func ownNumber(of hash: Int) -> Int? { own[hash] }

    func sharedNumber(for hash: Int) -> Int {
        capacity + (hash & (Self.shared - 1))
    }

    /// Takes the number from the item whose id has `hash`.
    mutating func remove(_ hash: Int) -> Int? {
        guard let number = own.remove(hash) else { return nil }
        removals += 1
        return number
    }

    /// The registrar of `number`; nil if no item with one of its numbers was observed.
    func knownRegistrar(of number: Int) -> Registrar? {
        number >> 10 < registrars.count ? registrars[number >> 10] : nil
    }

    mutating func registrar(of number: Int) -> Registrar {
        if let registrar = knownRegistrar(of: number) { return registrar }
        let registrar = Registrar()
        while registrars.count <= number >> 10 { registrars.append(nil) }
        registrars[number >> 10] = registrar
        return registrar
    }
}
