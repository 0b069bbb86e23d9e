import Dispatch
import Foundation
import Synchronization

/// Calls `body` on a new thread, and waits until it returns.
package func onNewThread(_ body: @escaping @Sendable () -> Void) {
    let group = DispatchGroup()
    group.enter()
    Thread.detachNewThread {
        defer { group.leave() }
        body()
    }
    group.wait()
}

/// Calls `body` with each element, on all cores, and waits until all calls have returned.
///
/// - Returns: What the calls returned, in the order of `elements`.
/// - Throws: The error of the first element in that order whose call failed.
@discardableResult
package func onAllCores<Element: Sendable, Output: Sendable, Failure: Error>(
    _ elements: some Collection<Element>,
    _ body: @escaping @Sendable (Element) throws(Failure) -> Output
) throws(Failure) -> [Output] {
    let elements = Array(elements)
    let outcomes = Mutex<[Result<Output, Failure>?]>(Array(repeating: nil, count: elements.count))
    let next = Atomic(0)
    let group = DispatchGroup()
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount {
        group.enter()
        // These threads wait for work in the background, so they must not take the threads of the
        // queues that do it.
        Thread.detachNewThread {
            defer { group.leave() }
            while true {
                let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard number < elements.count else { return }
                let outcome = Result { () throws(Failure) in try body(elements[number]) }
                outcomes.withLock { $0[number] = outcome }
            }
        }
    }
    group.wait()
    return try outcomes.withLock { $0 }.compactMap(\.self).map { outcome throws(Failure) in
        try outcome.get()
    }
}
