import Directory
import Foundation

extension Tour {
    func collections() throws {
        narrator.step(
            "A collection is a folder with an index",
            """
            let projects = try Directory<Project>(at: folder, index: "projects.json")
            let name = try projects.freeFolderName(for: "Project_Apollo")
            try projects.append(Project(name: "Apollo", folderName: name))
            """)
        try projects.append(apollo)
        try projects.append(deepField)
        try narrator.show(projects.url)
        narrator.say(
            "A change is on disk when its method returns. Each project has a folder, whose name can"
        )
        narrator.say("be made of whatever a person types: \("AC/DC: *live*".safeFolderName()).")
    }

    func children() throws {
        narrator.step(
            "A container holds collections of its own",
            """
            let notes = try projects.child(.notes, of: apollo.id)
            try notes.write { draft in
                try draft.append(Note(text: "Load the film"))
                try draft.append(Note(text: "Look back at Earth"))
            }
            """)
        let notes = try store.open(.notes, of: apollo)
        try notes.write { draft in
            try draft.append(Note(text: "Load the film"))
            try draft.append(Note(text: "Look back at Earth"))
        }
        try narrator.show(notes.url)
        narrator.say("One write is one commit: all of its changes are made, or none.")
    }

    func observation() throws {
        narrator.step(
            "A view is notified only of changes to what it shows",
            """
            withObservationTracking { _ = photos[id: moon.id] } onChange: { redraw() }
            try photos.update(id: moon.id) { $0.name = "Moon.png" }
            """)
        let photos = try store.open(.photos, of: apollo)
        let (moon, cat) = try (photo("moon", in: photos), photo("chelsea", in: photos))
        let log = ObserverLog()
        log.observe("the moon") { _ = photos[id: moon.id] }
        log.observe("the cat") { _ = photos[id: cat.id] }
        log.observe("the count") { _ = photos.count }
        try photos.update(id: moon.id) { $0.name = "Moon.png" }
        try narrator.check("The observer of the moon was notified", log.notified == ["the moon"])
        narrator.say("The observers of the cat and of the count were not.")
    }

    func changes() async throws {
        narrator.step(
            "Items can be moved, and each change is in a stream",
            """
            try await photos.move(fromOffsets: [5], toOffset: 0)
            for await change in photos.changes { show(change) }
            """)
        let photos = try store.open(.photos, of: apollo)
        var changes = photos.changes.makeAsyncIterator()
        try await photos.move(fromOffsets: [5], toOffset: 0)
        let change = await changes.next()
        try narrator.check("The stream reports a new order", change?.isReordered == true)
        narrator.say(photos.items.map(\.name).joined(separator: ", "))
    }

    func preview() throws {
        narrator.step(
            "Previews and tests run in memory",
            """
            let volume = MemoryVolume(at: folder)
            let drafts = try Directory<Project>(at: folder, index: "projects.json")
            volume.fail(.noSpace)
            """)
        let folder = store.folder.appending(path: "Drafts", directoryHint: .isDirectory)
        let volume = MemoryVolume(at: folder)
        let drafts = try Directory<Project>(at: folder, index: "projects.json")
        let project = try Project(named: "Draft", in: drafts)
        try drafts.append(project)
        let photos = try drafts.child(.photos, of: project.id)
        let photo = try photos.insert(
            Data(contentsOf: files[0]), name: files[0].lastPathComponent)
        narrator.say("\(project.name) holds \(photo.name), \(photo.byteCount.asBytes).")
        volume.fail(.noSpace)
        try narrator.checkFails("Remove the photo from a full volume", with: .noSpace) {
            try photos.remove(id: photo.id)
        }
        let path = folder.path(percentEncoded: false)
        try narrator.check(
            "Nothing was written to the disk", !FileManager.default.fileExists(atPath: path))
    }
}
