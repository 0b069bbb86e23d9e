/// How a replica works.
///
/// The defaults are right for most apps.
public struct ReplicaOptions: Sendable {
    /// The name of this device, which other devices show; nil for none.
    public var deviceName: String?
    /// How often ``Replica/run(onError:)`` looks into the shared folder.
    public var interval: Duration
    /// How many items can be removed at once.
    ///
    /// A removal of more items waits for ``Replica/release(_:)`` if it is also more than 30 % of all items.
    public var removalLimit: Int
    /// How long removed items are remembered, at least until all devices know of their removal.
    ///
    /// The others wait for a device that is away for longer, unless somebody has removed it.
    public var memory: Duration

    /// In bytes: the size above which changes are divided into several segments.
    package var segmentSize = 8 << 20
    /// How many files with changes a device has before it joins them to one.
    package var fileLimit = 32
    /// In bytes: the size of changes from which on a state is written, if the state is not larger.
    package var changesLimit = 1 << 20
    /// In bytes: the size from which on the local state is written as a whole whenever its file has doubled.
    package var localFileLimit = 1 << 20
    /// In bytes: up to this size, a file of an item is copied before its bytes are checked.
    package var uncheckedCopySize = 64 << 20
    /// An import of more items than this, and of more than half of those that are shown, saves everything beside the
    /// state anew instead of its changes.
    package var largeImport = 1000

    /// Creates options.
    ///
    /// - Parameters:
    ///   - deviceName: The name of this device, which other devices show; nil for none.
    ///   - interval: How often to look into the shared folder.
    ///   - removalLimit: How many items can be removed at once before a person has to agree.
    ///   - memory: How long removed items are remembered.
    public init(
        deviceName: String? = nil, interval: Duration = .seconds(5), removalLimit: Int = 20,
        memory: Duration = .seconds(30 * 86_400)
    ) {
        (self.deviceName, self.interval) = (deviceName, interval)
        (self.removalLimit, self.memory) = (removalLimit, memory)
    }
}

extension ReplicaOptions {
    /// The name of this device, so short that others can read it.
    var shortDeviceName: String? {
        deviceName.map { String(String.UnicodeScalarView($0.unicodeScalars.prefix(256))) }
    }

    /// In seconds: how long removed items are remembered.
    var secondsOfMemory: Int {
        max(0, min(Int(memory.components.seconds), Limits.times.upperBound / 1000))
    }
}
