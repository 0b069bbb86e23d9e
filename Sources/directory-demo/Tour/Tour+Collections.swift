import Directory
import Foundation
import Observation
import Synchronization

extension Tour {
    func collections() throws {
        step(
            "A collection is a folder with an index",
            """
            let projects = try Directory<Project>(at: folder, index: "projects.json")
            let name = try projects.freeFolderName(for: "Project_Apollo")
            try projects.append(Project(name: "Apollo", folderName: name))
            """)
        try projects.append(apollo)
        try projects.append(deepField)
        try show(projects.url)
        say("A change is on disk when its method returns. Each project has a folder, whose name")
        say("can be made of whatever a person types: \("AC/DC: *live*".safeFolderName()).")
    }

    func children() throws {
        step(
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
        try show(notes.url)
        say("One write is one commit: all of its changes are made, or none.")
    }

    func observation() throws {
        step(
            "A view is notified only of changes to what it shows",
            """
            withObservationTracking { _ = photos[id: moon.id] } onChange: { redraw() }
            try photos.update(id: moon.id) { $0.name = "Moon.png" }
            """)
        let photos = try store.open(.photos, of: apollo)
        let (moon, cat) = try (photo("moon", in: photos), photo("chelsea", in: photos))
        let views: KeyValuePairs<String, () -> Void> = [
            "the moon": { _ = photos[id: moon.id] }, "the cat": { _ = photos[id: cat.id] },
            "the count": { _ = photos.count },
        ]
        let notified = Mutex<[String]>([])
        for (view, read) in views {
            withObservationTracking(read) { notified.withLock { $0.append(view) } }
        }
        try photos.update(id: moon.id) { $0.name = "Moon.png" }
        try check("The observer of the moon was notified", notified.withLock { $0 } == ["the moon"])
        say("The observers of the cat and of the count were not.")
    }

    func changes() async throws {
        step(
            "Items can be moved, and each change is in a stream",
            """
            try await photos.move(fromOffsets: [5], toOffset: 0)
            for await change in photos.changes { show(change) }
            """)
        let photos = try store.open(.photos, of: apollo)
        var changes = photos.changes.makeAsyncIterator()
        try await photos.move(fromOffsets: [5], toOffset: 0)
        let change = await changes.next()
        try check("The stream reports a new order", change?.isReordered == true)
        say(photos.items.map(\.name).joined(separator: ", "))
    }

    func preview() throws {
        step(
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
        let photo = try photos.insert(Data(contentsOf: files[0]), name: files[0].lastPathComponent)
        say("\(project.name) holds \(photo.name), \(photo.byteCount.asBytes).")
        volume.fail(.noSpace)
        try checkFails("Remove the photo from a full volume", with: .noSpace) {
            try photos.remove(id: photo.id)
        }
        let path = folder.path(percentEncoded: false)
        try check("Nothing was written to the disk", !FileManager.default.fileExists(atPath: path))
    }
}
