import Dispatch
import Synchronization

/// The results of `transform` for 0 up to `count` - 1, in this order, computed on all processor
/// cores.
///
/// `transform` can run code of the user, which gets the same errors as on the calling thread.
func concurrentMap<Result: Sendable>(count: Int, _ transform: @Sendable (Int) -> Result)
    -> [Result]
{
    if count == 1 { return [transform(0)] }
    let results = Mutex([Result?](repeating: nil, count: count))
    let scope = WriteScope.current
    DispatchQueue.concurrentPerform(iterations: count) { index in
        let result = WriteScope.with(helperOf: scope) { transform(index) }
        results.withLock { $0[index] = result }
    }
    return results.withLock { $0 }.compactMap { $0 }
}
