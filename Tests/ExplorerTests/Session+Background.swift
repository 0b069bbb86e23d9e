import StoreModel

@testable import Directory

extension Session {
    /// Waits for the work that commits left to the background.
    func waitForBackground() { waits.forEach { $0() } }

    /// Each of these waits for the background work of a collection, also after its end.
    var waits: [@Sendable () -> Void] {
        collections.compactMap { ($0 as? any Background)?.wait }
    }
}

/// A collection of any type that leaves work to the background.
private protocol Background {
    var wait: @Sendable () -> Void { get }
}

extension Directory: Background {
    fileprivate var wait: @Sendable () -> Void {
        let core = core
        return { core.background.wait() }
    }
}
