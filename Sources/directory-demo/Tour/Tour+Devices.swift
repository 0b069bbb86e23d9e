import AppFolders
import Directory
import DirectoryReplicas
import Foundation

extension Tour {
    func devices() throws {
        step(
            "Several devices can have one store, through a folder that an engine carries",
            """
            let replica = try Replica(
                of: projects, in: sharedFolder,
                children: [Child.photos.replicated(), Child.notes.replicated()])
            try replica.sync()
            """)
        let place = AppFolder.tmp.url.appending(path: UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: place) }
        let devices = try ["Phone", "Laptop"].map { name in
            let store = try Store(at: place.appending(path: name).path, .anyStore)
            return (store, try store.replica(in: place.appending(path: "Shared"), named: name))
        }
        let ((phone, phoneReplica), (laptop, laptopReplica)) = (devices[0], devices[1])

        let voyager = try Project(named: "Voyager", in: phone.projects)
        try phone.projects.append(voyager)
        try phone.open(.photos, of: voyager).insert(copying: [files[0]])
        try phoneReplica.sync()
        try laptopReplica.sync()
        say("The phone made a project with a photo, and both devices have synced.")
        let photos = try laptop.open(.photos, of: voyager)
        try check(
            "The laptop has the project, and the photo with the same bytes",
            photos.count == 1 && isIdentical(photos.items[0], in: photos))

        try phone.projects.update(id: voyager.id) { $0.name = "Voyager 2" }
        try phone.open(.notes, of: voyager).append(Note(text: "Neptune"))
        try laptop.projects.update(id: voyager.id) { $0.name = "Voyager 1" }
        try laptop.open(.notes, of: voyager).append(Note(text: "Saturn"))
        for replica in [phoneReplica, laptopReplica, phoneReplica] { try replica.sync() }
        say("Then each wrote a note and renamed the project, before they synced again.")
        let names = phone.projects.items.map(\.name)
        try check(
            "Both show \(names.joined()), and the other name is kept as a conflict",
            laptop.projects.items.map(\.name) == names && phoneReplica.conflicts.count == 1
                && phoneReplica.conflicts == laptopReplica.conflicts)
        let notes = try devices.map { try $0.0.open(.notes, of: voyager).items.map(\.text) }
        try check(
            "Both have both notes, in one order: \(notes[0].joined(separator: ", "))",
            notes[0] == notes[1] && Set(notes[0]) == ["Neptune", "Saturn"])
    }
}
