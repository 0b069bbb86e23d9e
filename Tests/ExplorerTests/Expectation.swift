import Directory
import StoreModel

/// Which trees explain how the steps of two processes ended.
struct Expectation {
    var first: [Ending]
    var second: [Ending]
    let schedule: Schedule
    /// Whether an index was edited beside a journal, whose changes were then made again.
    var hadConflict = false

    /// What the tree may be: the outcome of all steps that were done, and of any that may have
    /// been, in an order in which each refused step had to be refused.
    ///
    /// The second process does all it does at one moment of the first, or after it.
    var trees: Set<Tree> { states.last }

    /// Whether a copy was made, and acknowledged.
    var hasMadeCopy: Bool {
        let steps = zip(schedule.first.steps + schedule.second.stepsOfSecond, first + second)
        return steps.contains { step, ending in step == .copy && ending == .done }
    }

    /// What the tree may have been at some moment, which a copy can have.
    var moments: Set<Tree> { Set(states.all.map(\.visible)) }
    /// The same of the projects alone.
    var copies: Set<[Tree.Node]> { Set(moments.map(\.projects)) }

    /// What the tree may have been at the end, and at any moment.
    private var states: (last: Set<Tree>, all: Set<Tree>) {
        let count = schedule.first.steps.count
        let isBeside = schedule.variant.isConcurrent || hadConflict
        let positions = isBeside ? 0...count : count...count
        return positions.reduce(into: ([], [.start])) { states, position in
            var possible: Set<Tree> = [.start]
            for index in 0...count {
                if index == position {
                    for (step, ending) in zip(schedule.second.stepsOfSecond, second) {
                        possible = outcomes(of: step, ending, on: possible, isFirst: false)
                        states.all.formUnion(possible)
                    }
                }
                if index < count {
                    let step = schedule.first.steps[index]
                    possible = outcomes(of: step, first[index], on: possible, isFirst: true)
                    states.all.formUnion(possible)
                }
            }
            states.last.formUnion(possible.map(\.visible))
        }
    }

    private func outcomes(of step: Step, _ ending: Ending, on trees: Set<Tree>, isFirst: Bool)
        -> Set<Tree>
    {
        let outcomes = outcomesOfEach(of: step, ending, on: trees, isFirst: isFirst)
        // What refused the second process can be lost with the power afterwards.
        guard case .refused = ending, schedule.variant == .cache, !isFirst else { return outcomes }
        return outcomes.isEmpty ? [] : trees
    }

    private func outcomesOfEach(
        of step: Step, _ ending: Ending, on trees: Set<Tree>, isFirst: Bool
    ) -> Set<Tree> {
        trees.reduce(into: []) { outcomes, tree in
            var next = tree
            let isTaking = (isFirst ? schedule.first : schedule.second).takes
            let refusal = Result {
                if !isFirst { swap(&next.taken, &next.takenByOther) }
                try step.apply(to: &next)
                if isTaking, let taken = step.taken(from: tree, to: next) { next.taken = taken }
                if !isFirst { swap(&next.taken, &next.takenByOther) }
            }
            switch (ending, refusal) {
            case (.never, _): outcomes.insert(tree)
            case (.done, .success): outcomes.insert(next)
            case (.done, .failure):
                outcomes.formUnion(changesUnderAnotherName(step, tree))
            case (.inDoubt, .success): outcomes.formUnion([tree, next])
            case (.inDoubt, .failure):
                outcomes.insert(tree)
                outcomes.formUnion(changesUnderAnotherName(step, tree))
            case (.refused(let code), let result):
                let isExplained =
                    switch result {
                    case .success: false
                    case .failure(let error): (error as? Refusal)?.codes.contains(code) == true
                    }
                if isExplained || mayRefuse(step, code, isFirst) { outcomes.insert(tree) }
            }
        }
    }

    /// What comes of a person's change in a folder that a rename, interrupted or not ended yet, has left under the name
    /// that its project had at the start: other programs recover nothing.
    ///
    /// The folder can also be that of a new project which never came, and is then left with what is in it.
    private func changesUnderAnotherName(_ step: Step, _ tree: Tree) -> [Tree] {
        guard case .byHand(let change) = step, let name = change.folder,
            first.contains(.inDoubt) || schedule.variant.isConcurrent,
            let box = Tree.start.projects.first(where: { $0.box.folderName == name })?.box
        else { return [] }
        return [tree] + [change.step(in: box.id)?.applied(to: tree)].compactMap(\.self)
    }

    /// Whether a step may be refused although it was possible all the time.
    private func mayRefuse(_ step: Step, _ code: DirectoryError.Code, _ isFirst: Bool) -> Bool {
        let isPaused = schedule.variant.isConcurrent
        // Other containers come in the places of those that are open, or what is open is elsewhere.
        let other = isFirst ? schedule.second : schedule.first
        if other.replacesContainers || other.misplacesFolders && isPaused,
            Refusal.noBox.codes.contains(code)
        {
            return true
        }
        return switch step {
        // Another program edited an index that has a journal, or just when a write to several collections made one.
        case _ where isFirst && code == .indexConflict:
            isPaused && schedule.second.editedIndex != nil
                && (schedule.mode == .journal || Operation.joint.contains(schedule.first))
        // Another program sees a folder under another name for a moment, or hides a folder that recovery needs.
        case .byHand(let change):
            code == .itemNotFound
                || change.editedIndex == nil
                    && (code == .unfinishedChange || isPaused && code == .locked)
        // What works on one collection after the other can miss one that moves meanwhile.
        case .open, .checkpoint, .close, .repair:
            isPaused
                && (Refusal.noBox.codes.contains(code) || code == .assetMissing
                    || !isFirst && code == .locked)
        // The other one may have copied to the same place, or have changed something more than once.
        case .copy: code == .nameTaken || isPaused && code == .locked
        default: isPaused && !isFirst && code == .locked
        }
    }
}
