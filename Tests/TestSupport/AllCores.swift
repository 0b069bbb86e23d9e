import Dispatch
import Foundation
import Synchronization

/// Calls `body` with each element, on all cores, and waits until all calls have returned.
package func onAllCores<Element: Sendable>(
    _ elements: some Collection<Element>, _ body: @escaping @Sendable (Element) -> Void
) {
    let elements = Array(elements)
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
                body(elements[number])
            }
        }
    }
    group.wait()
}
