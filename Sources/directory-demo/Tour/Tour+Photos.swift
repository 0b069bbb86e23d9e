import Directory
import Foundation

extension Tour {
    func importPhotos() throws {
        step(
            "A batch of files is imported together, or not at all",
            "try photos.insert(copying: files, progress: progress)")
        let photos = try store.open(.photos, of: apollo)
        let progress = Progress(totalUnitCount: 0)
        let start = ContinuousClock.now
        let imported = try photos.insert(copying: files, progress: progress)
        let seconds = (ContinuousClock.now - start) / .seconds(1)

        let size = imported.reduce(0) { $0 + $1.byteCount }.asBytes
        say(imported.map(\.name).joined(separator: ", "))
        say(
            "\(imported.count.of("photo")), \(size), copied, synced and committed in "
                + String(format: "%.0f ms", seconds * 1000))
        try check(
            "Progress counted \(progress.completedUnitCount) of \(progress.totalUnitCount) bytes",
            progress.isFinished)
        try check(
            "Each file has the bytes of its source",
            imported.allSatisfy { try isIdentical($0, in: photos) })
    }

    func renaming() throws {
        step(
            "Renaming a project renames its folder",
            "try projects.update(id: apollo.id) { $0.folderName = \"Project_Apollo 11\" }")
        let photos = try store.open(.photos, of: apollo)
        let before = try projects.folder(of: apollo.id)
        try projects.update(id: apollo.id) { try $0.rename(to: "Apollo 11", in: projects) }
        let after = try projects.folder(of: apollo.id)
        say("\(before.lastPathComponent) is now \(after.lastPathComponent)")
        let first = try photos.url(of: photos.items[0].id)
        try check(
            "A collection of photos that is already open finds its files there",
            first.path.hasPrefix(after.path))
    }

    func transfer() throws {
        step(
            "A photo is transferred to another project, with its file",
            "try photos.transfer([hubble.id], to: others)")
        let photos = try store.open(.photos, of: apollo)
        let others = try store.open(.photos, of: deepField)
        let hubble = try photo("hubble", in: photos)
        try photos.transfer([hubble.id], to: others)
        say("Apollo 11 has \(photos.count.of("photo")), Deep Field \(others.count)")
        try check("Its bytes are unchanged", isIdentical(hubble, in: others))
    }

    func removal() throws {
        step(
            "Removing a photo removes its file, removing a project its folder",
            """
            try photos.remove(id: retina.id)
            try projects.remove(id: sketch.id)
            """)
        let photos = try store.open(.photos, of: apollo)
        let before = try contents().count
        try photos.remove(id: photo("retina", in: photos).id)
        try photos.checkpoint()
        try check("There is one file less than before", contents().count == before - 1)

        let sketch = try Project(named: "Sketch", in: projects)
        try projects.append(sketch)
        let sketches = try store.open(.photos, of: sketch)
        try sketches.insert(Data(contentsOf: files[0]), name: files[0].lastPathComponent)
        try projects.remove(id: sketch.id)
        try projects.checkpoint()
        try checkFails("Add a photo to the removed project", with: .containerRemoved) {
            try sketches.insert(Data([1, 2, 3]))
        }
    }
}
