import Directory

extension Command {
    @Sendable static func undo(_ call: Call) throws {
        let history = try History(of: call.store)
        guard let step = history.steps.items.last else {
            throw Failure(.operation, "there is nothing to take back")
        }
        if call.has(.dryRun) { return print("Would take back: \(step.title.printable)") }
        try call.store.takeBack(step, history)
        try history.remove(step)
        if call.isDefaultStore, let name = Settings().project,
            !call.store.projects.items.contains(where: { $0.name == name })
        {
            Settings().project = nil
        }
        call.say("Took back: \(step.title.printable)")
    }
}
