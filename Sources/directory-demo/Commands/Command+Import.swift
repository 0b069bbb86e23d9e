import Directory

extension Command {
    static let importFiles = Command(
        "import", "NAME PATH...", options: [.skipUnsupported], "Import pictures, all or none.",
        """
        PATH is a file, or a folder whose pictures are imported, by name, without
        hidden files. Everything is checked before the first file is copied. A link,
        a name that is not UTF-8, or a file that is no picture, is an error unless it
        is left out with --skip-unsupported; in folders, files that are no pictures
        are left out. What is missing or cannot be read is always an error.
        """
    ) { call in
        let project = try call.project
        let plan = ImportPlan(of: call.operands.dropFirst())
        let problems = plan.failed + (call.has(.skipUnsupported) ? [] : plan.refused)
        if !problems.isEmpty {
            let named = problems.prefix(4).map { "\($0.path): \($0.reason)" }
            let others = problems.count - named.count
            let more = others > 0 ? ["and \(others.of("other path"))"] : []
            let hint = "Leave out links, and what is no picture, with --skip-unsupported."
            throw Failure(
                "cannot import \((named + more).joined(separator: ", ")); nothing was imported",
                hint: problems.count > plan.failed.count ? hint : nil)
        }
        guard !plan.files.isEmpty else {
            throw Failure("there is nothing to import: no picture was found")
        }
        let photos = try call.store.open(.photos, of: project)
        let imported = try await Interrupt.cancelling {
            // If this throws, the stage removes its files.
            let stage = try await photos.makeStage()
            for (number, file) in plan.files.enumerated() {
                let staged = try await stage.copy(file)
                let line = "\(number + 1) of \(plan.files.count)  \(staged.name.printable)"
                call.say("\(line)  \(staged.byteCount.asBytes)")
            }
            return try await photos.insert(stage)
        }
        try await photos.close()
        let count = imported.count.of("file")
        call.store.record(
            "import \(count) into \(project.name)", .photos(Edit(after: imported), of: project.id))
        call.lastProject = project.name
        let size = imported.reduce(0) { $0 + $1.byteCount }.asBytes
        call.say("Imported \(count), \(size), into \(project.name.styled(.bold))")
        let skipped = plan.refused.map(\.path) + plan.others
        if !skipped.isEmpty { call.say("Left out: \(skipped.joined(separator: ", ").printable)") }
    }
}
