import Directory
import Foundation

extension Tour {
    func errors() throws {
        narrator.step(
            "What cannot be done changes nothing",
            """
            do { try stage.copy(file) } catch let error as DirectoryError { show(error.message) }
            """)
        let photos = try store.open(.photos, of: apollo)
        let before = try contents()
        try narrator.refuse("Append a project twice", .duplicateID) {
            try projects.append(apollo)
        }
        try narrator.refuse("Make a project whose folder differs in case only", .nameTaken) {
            try projects.append(Project(named: "APOLLO 11"))
        }
        try narrator.refuse("Import a batch with a file that is not there", .sourceMissing) {
            let stage = try photos.makeStage()
            for file in files { try stage.copy(file) }
            try stage.copy(store.folder.appending(path: "lost.jpg"))
            try photos.insert(stage)
        }
        try narrator.refuse("Cancel an import", .cancelled) {
            let progress = Progress(totalUnitCount: 0)
            let stage = try photos.makeStage()
            for file in files { try stage.copy(file) }
            progress.cancel()
            try photos.insert(stage, progress: progress)
        }
        try narrator.check("Every file is as it was", contents() == before)
    }

    func editing() throws {
        narrator.step(
            "Edits by hand are seen and kept",
            """
            try projects.load()
            """)
        let text = try String(contentsOf: projects.url, encoding: .utf8)
        let edited = text.replacing("\"Deep Field\"", with: "\"Deep Field\",\"colour\":\"violet\"")
        try Data(edited.utf8).write(to: projects.url)
        try projects.load()
        narrator.say("An editor gave Deep Field a colour, of which this program knows nothing.")
        try projects.update(id: apollo.id) { $0.name = "Apollo" }
        try narrator.show(projects.url)
        let after = try String(contentsOf: projects.url, encoding: .utf8)
        try narrator.check("A later commit has kept it", after.contains("\"colour\":\"violet\""))
    }

    func repair() throws {
        narrator.step(
            "What is wrong is found and put right, and no bytes are deleted",
            """
            let findings = try photos.verify()
            let repairs = try photos.repair()
            """)
        let photos = try store.open(.photos, of: apollo)
        let lost = try photos.url(of: photos.photo("camera.png").id)
        try FileManager.default.removeItem(at: lost)
        let stray = lost.deletingLastPathComponent().appending(path: "stray.jpg")
        try FileManager.default.copyItem(at: files[0], to: stray)
        narrator.say("A file was deleted by hand, and another put in its place.")
        let repairs = try photos.repair()
        for repair in repairs {
            narrator.say("\(repair.finding.kind.rawValue): \(repair.action.shortPaths)")
        }
        try narrator.check("Now verify finds nothing", store.verify().findings.isEmpty)
    }
}

extension String {
    /// The text with the last component alone of each path in it.
    fileprivate var shortPaths: String {
        split(separator: " ").map { $0.split(separator: "/").last ?? $0 }.joined(separator: " ")
    }
}
