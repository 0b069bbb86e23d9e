/// Changes of several tasks that share one commit.
///
/// A change that would have to wait for another collection leaves the group, so that the others do not wait.
struct CommitGroup {
    /// How many collections one group changes at most: each of them is locked until the commit.
    static let maximumCollections = 16

    /// The changes that were to be committed together.
    private let offered: ArraySlice<PendingChange>
    /// Whether the undo history gets a step for each change.
    ///
    /// A change that moves files is then alone in its group, because its step keeps the files of the whole commit.
    private let hasStepForEach: Bool
    private var results: [(change: PendingChange, result: Result<Void, any Error>)] = []
    /// The changes that left the group.
    private(set) var left: [PendingChange] = []

    init(_ offered: ArraySlice<PendingChange>, hasStepForEach: Bool) {
        (self.offered, self.hasStepForEach) = (offered, hasStepForEach)
    }
}

extension CommitGroup {
    private var isUntried: Bool { results.isEmpty && left.isEmpty }
    /// How many changes are in the group or have left it; the others wait for the next group.
    var count: Int { isUntried ? offered.count : results.count + left.count }
    /// The changes in the group.
    var members: [PendingChange] { isUntried ? Array(offered) : results.map(\.change) }

    var request: CommitRequest {
        let isDurable = members.contains { $0.durability == .durable }
        return CommitRequest(durability: isDurable ? .durable : .relaxed, operation: "change")
    }

    /// Tells the task of each change that the group is committed, or gives it the error of its change.
    func finish() {
        for (change, result) in results { change.finish(result) }
    }

    /// Gives all tasks the error of the commit.
    func finish(_ error: any Error) {
        for change in members { change.finish(.failure(error)) }
    }

    /// Applies the changes to `draft`, until one of them has to begin the next group.
    ///
    /// It can be called again, with another draft; the last call counts.
    mutating func apply(to draft: inout ElementDraft, of core: Core, in session: WriteSession) {
        (results, left) = ([], [])
        var steps: [UndoStep] = []
        for change in offered {
            let before = draft
            let result = Result {
                try core.describing("change") { try change.apply(&draft) }
            }
            if result.needsLocks || session.takeBusy() != nil {
                draft = before
                left.append(change)
                continue
            }
            if case .failure = result {
                draft = before
                results.append((change, result))
                continue
            }
            let step = hasStepForEach ? UndoStep(from: before, to: draft) : nil
            let isAlone = hasStepForEach && step == nil
            let isFirst = !results.contains { $0.result.succeeded }
            if !isFirst, isAlone || session.collectionCount > Self.maximumCollections {
                draft = before
                break
            }
            results.append((change, result))
            if isAlone { return }
            if let step { steps.append(step) }
        }
        if hasStepForEach { session.steps = steps }
    }
}

extension Result where Success == Void, Failure == any Error {
    fileprivate var succeeded: Bool { (try? get()) != nil }

    /// Whether it is the error of a change that has to try again, or that an unfinished write prevents.
    fileprivate var needsLocks: Bool {
        guard case .failure(let error) = self else { return false }
        return error is Busy || error is UnendableTransaction
    }
}

extension Core {
    /// Commits the changes of tasks: together as far as possible, then alone those that have to wait for another
    /// collection.
    func commitTasks(_ changes: [PendingChange]) {
        commitEdits()
        commit(changes, asOneStep: false)
    }

    /// Commits `changes` in groups, then alone those that have left their group.
    ///
    /// If the commit of a group fails, each of its changes is committed alone, because one of them may be the cause.
    /// The undo history gets a step for each change, or, if `asOneStep`, for each group.
    func commit(_ changes: [PendingChange], asOneStep: Bool, in call: Call? = nil) {
        var rest = changes.map(counted)[...]
        var left: [PendingChange] = []
        while let first = rest.first {
            guard rest.count > 1 else {
                commitAlone(first, in: call)
                break
            }
            var group = CommitGroup(rest, hasStepForEach: history.isOn && !asOneStep)
            do {
                try change(group.request, in: call) { draft in
                    guard let session = draft.write?.session else { return }
                    group.apply(to: &draft, of: self, in: session)
                }
                group.finish()
            } catch let error as DirectoryError where [.locked, .inDoubt].contains(error.code) {
                group.finish(error)
            } catch {
                for change in group.members { commitAlone(change, in: call) }
            }
            left += group.left
            rest = rest.dropFirst(group.count)
        }
        for change in left { commitAlone(change, in: call) }
    }

    private func commitAlone(_ pending: PendingChange, in call: Call?) {
        let request = CommitRequest(durability: pending.durability, operation: "change")
        pending.finish(Result { try change(request, in: call, pending.apply) })
    }

    /// `change` as a step that a memory volume counts, and may let fail.
    private func counted(_ change: PendingChange) -> PendingChange {
        guard let fault = fault("change") else { return change }
        return PendingChange(
            durability: change.durability,
            apply: { draft in
                try change.apply(&draft)
                throw fault
            }, finish: change.finish)
    }
}
