import Dispatch
import Synchronization

/// What `transform` makes of 0, 1, 2 and so on, in this order, worked out on all cores.
func concurrentMap<Result: Sendable>(count: Int, _ transform: @Sendable (Int) -> Result)
    -> [Result]
{
    if count == 1 { return [transform(0)] }
    let results = Mutex([Result?](repeating: nil, count: count))
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let result = transform(index)
        results.withLock { $0[index] = result }
    }
    return results.withLock { $0 }.compactMap { $0 }
}
