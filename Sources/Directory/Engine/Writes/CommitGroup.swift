import FileSystem
import Foundation

/// Changes of several tasks that share one draft, one session and one commit.
///
/// Changes that cannot share it are committed otherwise: one that meets a collection in use leaves the group, so that the
/// others do not wait; one that fails perhaps because of the others is tried alone; and one that has to see the commit of
/// those before it begins the next group.
struct CommitGroup {
    /// How many collections may be locked when the next change joins: each of them is locked until the commit.
    static let maximumCollections = 16

    /// The changes that were to be committed together.
    private let offered: ArraySlice<PendingChange>
    /// Whether the undo history gets a step for each change.
    ///
    /// A change that moves files is then alone in its group, because its step keeps the files of the whole commit.
    private let hasStepForEach: Bool
    /// How many of the offered changes were tried; nil if the collection could not be locked.
    private var triedCount: Int?
    /// The changes in the group; an error is one that the change itself throws.
    private var joined: [(change: PendingChange, result: Result<Void, any Error>)] = []
    /// The changes that met a collection in use.
    private(set) var busy: [PendingChange] = []
    /// The changes that failed, perhaps because of the others.
    private(set) var failed: [PendingChange] = []
    /// The lock file of the collection, once it could be locked.
    private var lockURL: URL?

    init(_ offered: ArraySlice<PendingChange>, hasStepForEach: Bool) {
        (self.offered, self.hasStepForEach) = (offered, hasStepForEach)
    }
}

extension CommitGroup {
    /// The changes that wait for the next group.
    var rest: ArraySlice<PendingChange> { offered.dropFirst(triedCount ?? offered.count) }
    /// The changes that the commit contains.
    var members: [PendingChange] { triedCount == nil ? Array(offered) : joined.map(\.change) }

    var request: CommitRequest {
        let isDurable = offered.contains { $0.durability == .durable }
        return CommitRequest(durability: isDurable ? .durable : .relaxed, operation: "change")
    }

    /// Tells the task of each change that the group is committed, or gives it the error of its change.
    func finish() {
        for (change, result) in joined { change.finish(result) }
    }

    /// Gives all tasks the error of the commit.
    func finish(_ error: any Error) {
        for change in members { change.finish(.failure(error)) }
    }

    /// Whether each change would fail with `error`: the state on disk is not known, or the collection stays locked.
    func isCommon(_ error: DirectoryError) -> Bool {
        switch error.code {
        case .inDoubt: true
        case .locked: lockURL == nil || lockURL == error.url
        default: false
        }
    }

    /// Applies the changes to `draft`, until one of them has to begin the next group.
    ///
    /// It can be called again, with another draft; the last call counts.
    mutating func apply(to draft: inout ElementDraft) throws {
        guard let session = draft.write?.session else { throw draft.cannotReachIntoElements }
        lockURL = draft.write?.place.map {
            $0.index.folder.handle.url(of: $0.index.lock.names.lock)
        }
        (triedCount, joined, busy, failed) = (0, [], [], [])
        var steps: [UndoStep]? = hasStepForEach ? [] : nil
        defer { session.steps = steps }
        var hasChanges = false
        for (position, change) in offered.enumerated() {
            if position > 0, session.collectionCount >= Self.maximumCollections { return }
            let before = draft
            draft.beginStep()
            let result = Result {
                try change.apply(&draft)
                try draft.checkStep()
            }
            let step = hasStepForEach ? UndoStep(of: draft, from: before) : nil
            let isAlone = hasStepForEach && step == nil
            let isBusy = session.takeBusy()
            if !isBusy, hasChanges, isAlone || draft.mustFollowCommit(of: before) {
                draft = before
                return
            }
            if isBusy {
                busy.append(change)
            } else if case .failure(let error) = result, error.canComeFromSharing {
                failed.append(change)
            } else {
                joined.append((change, result))
            }
            if isBusy || !result.isSuccess {
                draft = before
            } else {
                hasChanges = true
                if isAlone { steps = nil } else if let step { steps?.append(step) }
            }
            triedCount = position + 1
            if hasStepForEach, steps == nil { return }
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}

extension Error {
    /// Whether it can come from what the changes of a group share: locks, the mark of locked collections, open files.
    fileprivate var canComeFromSharing: Bool {
        guard let error = self as? DirectoryError else {
            return self is FileSystemError || self is Busy || self is UnendableTransaction
        }
        return [.nestedWrite, .locked, .unfinishedChange, .ioFailure].contains(error.code)
    }
}

extension Core {
    /// Commits the edits of bindings that wait, then the changes of tasks.
    func commitTasks(_ changes: [PendingChange]) {
        commitEdits()
        commitInGroups(changes, asOneStep: false)
    }

    /// Commits `changes` together as far as possible.
    ///
    /// If the commit of a group fails, each of its changes is committed alone, because one of them may be the cause.
    /// The undo history gets a step for each change, or, if `asOneStep`, for each group.
    func commitInGroups(_ changes: [PendingChange], asOneStep: Bool, in call: Call? = nil) {
        var rest = changes.map(counted)[...]
        while !rest.isEmpty {
            var busy: [PendingChange] = []
            while rest.count > 1 {
                var group = CommitGroup(rest, hasStepForEach: history.isOn && !asOneStep)
                commitGroup(&group, in: call)
                busy += group.busy
                rest = group.rest
            }
            // The first one that met a collection in use waits for it; then the others can share a commit.
            rest += busy
            if let first = rest.popFirst() { commitAlone(first, in: call) }
        }
    }

    private func commitGroup(_ group: inout CommitGroup, in call: Call?) {
        do {
            try change(group.request, in: call) { try group.apply(to: &$0) }
            group.finish()
        } catch let error as DirectoryError where group.isCommon(error) {
            group.finish(error)
        } catch {
            for change in group.members { commitAlone(change, in: call) }
        }
        for change in group.failed { commitAlone(change, in: call) }
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
