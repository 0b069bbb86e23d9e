import Foundation
import Synchronization

/// Marks the thread that holds the locks of a collection while it runs code of the user.
///
/// Only code on that thread, while the call lasts, would wait for itself. A task that such code
/// begins inherits the mark, but runs on another thread or later, and so is not refused.
final class WriteScope: Sendable {
    /// The scope that the current task or thread began in, which may have ended.
    @TaskLocal private static var inherited: WriteScope?

    private let core: ObjectIdentifier
    /// The other cores that the write has locked on its way.
    private let others = Mutex<Set<ObjectIdentifier>>([])
    /// Whether it is the closure of a change that runs, and not a load or a commit around it.
    private let isClosure: Bool
    private let outer: WriteScope?
    private let thread = ObjectIdentifier(Thread.current)
    private let isActive = Atomic(true)

    private init(_ core: ObjectIdentifier, isClosure: Bool, in outer: WriteScope?) {
        self.core = core
        self.isClosure = isClosure
        self.outer = outer
    }
}

extension WriteScope {
    /// The innermost scope that this thread is in; nil outside of all.
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

    /// Makes the scope, and those around it, belong to `core` too, which this thread has locked.
    func add(_ core: ObjectIdentifier) {
        others.withLock { _ = $0.insert(core) }
        outer?.add(core)
    }

    /// Whether a closure of the user runs in this scope or in one around it.
    var isInClosure: Bool { isClosure || outer?.isInClosure == true }

    /// Calls `body` on this thread, which holds the locks of `core`.
    static func with<Result>(
        _ core: ObjectIdentifier, isClosure: Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        try with(WriteScope(core, isClosure: isClosure, in: current), body)
    }

    /// Calls `body`, which works on this thread for the one that is in `scope`.
    static func with<Result>(helperOf scope: WriteScope?, _ body: () throws -> Result) rethrows
        -> Result
    {
        guard let scope else { return try body() }
        return try with(
            WriteScope(scope.core, isClosure: scope.isClosure, in: scope), body)
    }

    private static func with<Result>(_ scope: WriteScope, _ body: () throws -> Result) rethrows
        -> Result
    {
        defer { scope.isActive.store(false, ordering: .relaxed) }
        return try $inherited.withValue(scope, operation: body)
    }
}
