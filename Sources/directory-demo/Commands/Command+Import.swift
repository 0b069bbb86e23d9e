import Directory
import Foundation

extension Command {
    @Sendable static func importFiles(_ call: Call) throws {
        let project = try call.project
        let plan = ImportPlan(of: call.operands.dropFirst())
        if !call.has(.skipUnsupported) { try check(plan) }
        let unreported = plan.refused + (call.has(.skipUnsupported) ? plan.misnamed : [])
        let skipped = unreported.map(\.path) + plan.others
        let failures = call.has(.skipUnsupported) ? [] : plan.misnamed.map(failure)
        guard !plan.files.isEmpty else {
            try Failures.check(failures)
            let missing =
                skipped.isEmpty
                ? "visible file" : plan.misnamed.isEmpty ? "picture" : "picture with a valid name"
            throw Failure("there is nothing to import: no \(missing) was found")
        }
        let photos = try call.store.open(.photos, of: project)
        let imported = try copy(plan.files, into: photos, isQuiet: call.has(.quiet))
        try waiting { try photos.close() }
        let count = imported.count.of("file")
        call.store.record(
            "import \(count) into \(project.name)", .imported(imported, in: project.id))
        if call.isDefaultStore { Settings().project = project.name }
        let size = imported.reduce(0) { $0 + $1.byteCount }.asBytes
        call.say("Imported \(count), \(size), into \(project.name.styled(.bold))")
        if !skipped.isEmpty { call.say("Left out: \(skipped.joined(separator: ", ").printable)") }
        try Failures.check(failures)
    }

    /// Imports the files, and returns their photos; Ctrl-C cancels before the commit.
    ///
    /// The files are copied once, also if the commit is tried again because another process has the lock.
    private static func copy(
        _ files: [URL], into photos: Directory<Photo>, isQuiet: Bool
    ) throws -> [Photo] {
        let (copying, saving) = (Progress(totalUnitCount: 0), Progress(totalUnitCount: 0))
        let interrupt = Interrupt { [copying, saving].forEach { $0.cancel() } }
        let bar = ProgressBar(of: [copying, saving], fileCount: files.count, isQuiet: isQuiet)
        defer {
            bar.finish()
            interrupt.finish()
        }
        let stage = try photos.makeStage()
        // Best effort: recovery removes a stage that stays. After the commit this does nothing.
        defer { try? stage.discard() }
        for staged in try stage.copy(files, progress: copying) {
            bar.show(staged.name, byteCount: staged.byteCount)
        }
        return try waiting(unless: { saving.isCancelled }) {
            try photos.insert(stage, progress: saving)
        }
    }

    /// The failure to import a file with an invalid name, which does not stop the import of others.
    private static func failure(_ misnamed: ImportPlan.Refused) -> Failure {
        Failure(
            "cannot import \(misnamed.path): \(misnamed.reason)",
            hint: "Rename it, or leave it out with --skip-unsupported.")
    }

    /// - Throws: ``Failure`` if the plan has anything that cannot be imported.
    private static func check(_ plan: ImportPlan) throws {
        guard let first = plan.refused.first else { return }
        let others = plan.refused.count - 1
        let more = others > 0 ? ", and \(others.of("other path")) neither" : ""
        throw Failure(
            "cannot import \(first.path): \(first.reason)\(more); nothing was imported",
            hint: "Leave out what cannot be imported with --skip-unsupported.")
    }
}
