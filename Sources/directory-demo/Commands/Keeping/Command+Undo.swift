import Directory

extension Command {
    @Sendable static func undo(_ call: Call) throws {
        let history = try History(of: call.store)
        try history.load()
        guard let step = history.steps.items.last else {
            throw Failure("there is nothing to undo")
        }
        let title = step.title.printable
        if call.has(.dryRun) {
            return print("Would \(call.has(.skip) ? "skip" : "undo"): \(title)")
        }
        if call.has(.skip) {
            try history.remove(step)
            return call.say("Skipped: \(title)")
        }
        let isChanged = try call.store.undo(step)
        try history.remove(step)
        if call.isDefaultStore, let name = Settings().project,
            !call.store.projects.items.contains(where: { $0.name == name })
        {
            Settings().project = nil
        }
        call.say("\(isChanged ? "Undone" : "Was undone already"): \(title)")
    }
}
