public import Dispatch

/// Where ``Directory/fetch(_:errorHandler:)`` works; later versions can add cases.
public enum FetchMode: Sendable {
    /// On the calling thread, before the call returns.
    case sync
    /// On a queue, after the call has returned.
    case async(DispatchQueue)
}
