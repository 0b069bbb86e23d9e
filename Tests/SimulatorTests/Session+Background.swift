import StoreModel

@testable import Directory

extension Session {
    /// Waits for the work that commits left to the background.
    func waitForBackground() {
        for case let collection as any Background in collections { collection.wait() }
    }
}

/// A collection of any type that leaves work to the background.
private protocol Background {
    func wait()
}

extension Directory: Background {
    fileprivate func wait() { core.background.wait() }
}
