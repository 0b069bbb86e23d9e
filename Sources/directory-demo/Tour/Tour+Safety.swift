import Directory
import Foundation

extension Tour {
    func errors() throws {
        step(
            "A change that fails changes nothing",
            "do { try stage.copy(file) } catch let error as DirectoryError { show(error.message) }")
        let photos = try store.open(.photos, of: apollo)
        // Without this, the journals of earlier steps can be written into the indexes meanwhile.
        try projects.checkpoint()
        for project in projects.items {
            try store.open(.photos, of: project).checkpoint()
            try store.open(.notes, of: project).checkpoint()
        }
        let before = try contents()
        try checkFails("Append a project twice", with: .duplicateID) { try projects.append(apollo) }
        try checkFails("Append a project whose folder differs only in case", with: .nameTaken) {
            try projects.append(Project(name: "APOLLO 11", folderName: "PROJECT_APOLLO 11"))
        }
        try checkFails("Import a batch with a missing file", with: .sourceMissing) {
            try photos.insert(copying: files + [store.folder.appending(path: "lost.jpg")])
        }
        try checkIsCancelled("Cancel an import") {
            let progress = Progress(totalUnitCount: 0)
            try photos.insert(copying: files, progress: progress) { staged in
                progress.cancel()
                return Photo(staged)
            }
        }
        try check("No file has changed", contents() == before)
    }

    func editing() throws {
        step("Edits by other programs are loaded and kept", "try projects.load()")
        let text = try String(contentsOf: projects.url, encoding: .utf8)
        let edited = text.replacing("\"Deep Field\"", with: "\"Deep Field\",\"colour\":\"violet\"")
        try Data(edited.utf8).write(to: projects.url)
        try projects.load()
        say("An editor gave Deep Field a colour, a field that this program does not know.")
        try projects.update(id: apollo.id) { try $0.rename(to: "Apollo", in: projects) }
        try show(projects.url)
        let after = try String(contentsOf: projects.url, encoding: .utf8)
        try check("A later commit keeps it", after.contains("\"colour\":\"violet\""))
    }

    func repair() throws {
        step(
            "verify finds problems, and repair deletes no bytes",
            """
            let findings = try photos.verify()
            let repairs = try photos.repair()
            """)
        let photos = try store.open(.photos, of: apollo)
        let lost = try photos.url(of: photo("camera", in: photos).id)
        try FileManager.default.removeItem(at: lost)
        let stray = lost.deletingLastPathComponent().appending(path: "stray.jpg")
        try FileManager.default.copyItem(at: files[0], to: stray)
        say("The file of a photo was deleted, and an unknown file was added.")
        for repair in try photos.repair() {
            let action = repair.action.replacing(store.folder.path + "/", with: "")
            say("\(repair.finding.kind.rawValue): \(action)")
        }
        try check("After the repair, verify finds no problem", store.verify().findings.isEmpty)
    }
}
