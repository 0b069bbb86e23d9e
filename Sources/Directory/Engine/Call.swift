import Synchronization

/// One call for users, which tells the observers of all its changes at its end, when it holds no lock any more.
///
/// Functions that are parts of several calls are given the call, or nil if they are the whole of it.
final class Call: Sendable {
    private struct Told: Sendable {
        let core: Core
        let events: [Broadcaster.Event]
        /// Whether the collection has a handle of this call, so that it stays open until its observers were told.
        let hasHandle: Bool
    }

    private let told = Mutex<[Told]>([])

    /// The result of `body`, a part of `call`; if that is nil, a call of its own.
    static func with<Result>(_ call: Call?, _ body: (Call) throws -> Result) rethrows -> Result {
        if let call { return try body(call) }
        let own = Call()
        defer { own.end() }
        return try body(own)
    }

    /// Adds events of which the observers of `core` are told.
    func add(_ events: [Broadcaster.Event], of core: Core, keepingOpen: Bool = false) {
        if events.isEmpty, !keepingOpen { return }
        if keepingOpen { core.addHandle() }
        told.withLock { $0.append(Told(core: core, events: events, hasHandle: keepingOpen)) }
    }

    /// Tells the observers; this thread must hold no lock.
    func end() {
        let all = told.withLock { told in
            defer { told = [] }
            return told
        }
        for part in all {
            part.core.broadcaster.notifyObservers(of: part.events)
            if part.hasHandle { part.core.removeHandle() }
        }
    }
}
