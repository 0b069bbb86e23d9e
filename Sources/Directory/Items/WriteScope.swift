import Foundation
import Synchronization

/// Marks the thread that holds the locks of a collection and runs code of the user.
///
/// Only code on that thread, during the call, would wait for itself. A task that such code begins
/// inherits the mark, but runs on another thread or later; the mark is not valid for it.
final class WriteScope: Sendable {
    /// The scope in which the current task or thread began; it may have ended.
    @TaskLocal private static var inherited: WriteScope?

    private let core: ObjectIdentifier
    /// The other cores that the write has locked.
    private let others = Mutex<Set<ObjectIdentifier>>([])
    /// Whether the closure of a change runs, not a load or a commit around it.
    private let isClosure: Atomic<Bool>
    private let outer: WriteScope?
    private let thread = ObjectIdentifier(Thread.current)
    private let isActive = Atomic(true)

    private init(_ core: ObjectIdentifier, isClosure: Bool, in outer: WriteScope?) {
        self.core = core
        self.isClosure = Atomic(isClosure)
        self.outer = outer
    }
}

extension WriteScope {
    /// The innermost scope of this thread; nil outside of all scopes.
    static var current: WriteScope? {
        guard let scope = inherited, scope.isActive.load(ordering: .relaxed),
            scope.thread == ObjectIdentifier(Thread.current)
        else { return nil }
        return scope
    }

    /// Whether this scope, or one around it, belongs to `core`.
    func belongs(to core: ObjectIdentifier) -> Bool {
        self.core == core || others.withLock { $0.contains(core) }
            || outer?.belongs(to: core) == true
    }

    /// Adds `core`, which this thread has locked, to the scope and those around it.
    func add(_ core: ObjectIdentifier) {
        others.withLock { _ = $0.insert(core) }
        outer?.add(core)
    }

    /// Whether a closure of the user runs in this scope or in one around it.
    var isInClosure: Bool { isClosure.load(ordering: .relaxed) || outer?.isInClosure == true }

    /// Calls `body` on this thread, which holds the locks of `core`.
    static func with<Result>(_ core: ObjectIdentifier, _ body: () throws -> Result) rethrows
        -> Result
    {
        try with(WriteScope(core, isClosure: false, in: current), body)
    }

    /// Calls `body`, the closure of a change of `core`, on this thread.
    static func inClosure<Result>(of core: ObjectIdentifier, _ body: () throws -> Result) rethrows
        -> Result
    {
        let current = current
        // The innermost scope is that of the lock of `core`, unless another one was locked meanwhile.
        guard let current, current.core == core,
            !current.isClosure.exchange(true, ordering: .relaxed)
        else { return try with(WriteScope(core, isClosure: true, in: current), body) }
        defer { current.isClosure.store(false, ordering: .relaxed) }
        return try body()
    }

    /// Calls `body` on this thread, which works for the thread of `scope`.
    static func with<Result>(helperOf scope: WriteScope?, _ body: () throws -> Result) rethrows
        -> Result
    {
        guard let scope else { return try body() }
        return try with(
            WriteScope(
                scope.core, isClosure: scope.isClosure.load(ordering: .relaxed), in: scope), body)
    }

    private static func with<Result>(_ scope: WriteScope, _ body: () throws -> Result) rethrows
        -> Result
    {
        defer { scope.isActive.store(false, ordering: .relaxed) }
        return try $inherited.withValue(scope, operation: body)
    }
}
