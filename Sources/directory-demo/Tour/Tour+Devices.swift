import Directory
import DirectoryReplicas
import Foundation

extension Tour {
    func devices() throws {
        narrator.step(
            "Several devices can have one store, through a folder that an engine carries",
            """
            let replica = try Replica(
                of: projects, in: sharedFolder,
                children: [Child.photos.replicated(), Child.notes.replicated()])
            try replica.sync()
            """)
        let place = FileManager.default.temporaryDirectory
            .appending(path: UUID().uuidString, directoryHint: .isDirectory)
        defer { try? FileManager.default.removeItem(at: place) }
        let (phone, laptop) = (try device("Phone", at: place), try device("Laptop", at: place))

        let voyager = try Project(named: "Voyager", in: phone.projects)
        try phone.projects.append(voyager)
        try phone.projects.child(.photos, of: voyager.id).insert(copying: [files[0]])
        try phone.replica.sync()
        try laptop.replica.sync()
        narrator.say("The phone made a project with a photo, and both devices have synced.")
        let photos = try laptop.projects.child(.photos, of: voyager.id)
        try photos.load()
        try narrator.check(
            "The laptop has the project, and the photo with the same bytes",
            photos.count == 1 && isIdentical(photos.items[0], in: photos))

        try phone.projects.update(id: voyager.id) { $0.name = "Voyager 2" }
        try phone.projects.child(.notes, of: voyager.id).append(Note(text: "Neptune"))
        try laptop.projects.update(id: voyager.id) { $0.name = "Voyager 1" }
        try laptop.projects.child(.notes, of: voyager.id).append(Note(text: "Saturn"))
        for device in [phone, laptop, phone] { try device.replica.sync() }
        narrator.say("Then each wrote a note and renamed the project, before they synced again.")
        let names = phone.projects.items.map(\.name)
        try narrator.check(
            "Both show \(names.joined()), and the other name is kept as a conflict",
            laptop.projects.items.map(\.name) == names && phone.replica.conflicts.count == 1
                && phone.replica.conflicts == laptop.replica.conflicts)
        let notes = try [phone, laptop].map { device in
            let notes = try device.projects.child(.notes, of: voyager.id)
            try notes.load()
            return notes.items.map(\.text)
        }
        try narrator.check(
            "Both have both notes, in one order: \(notes[0].joined(separator: ", "))",
            notes[0] == notes[1] && Set(notes[0]) == ["Neptune", "Saturn"])
    }

    /// A store of its own in the folder `place`, and its replica, which all devices there share.
    private func device(_ name: String, at place: URL) throws
        -> (projects: Directory<Project>, replica: Replica)
    {
        let projects = try Directory<Project>(
            at: place.appending(path: name), index: Store.index, options: Store.options)
        let replica = try Replica(
            of: projects, in: place.appending(path: "Shared"),
            children: [Child.photos.replicated(), Child.notes.replicated()],
            options: ReplicaOptions(deviceName: name))
        return (projects, replica)
    }
}
