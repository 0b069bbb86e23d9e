import AppFolders
import Directory
import Foundation

/// The tour: shows the library on a new temporary store.
final class Tour {
    let store: Store
    /// The pictures, by name.
    let files: [URL]
    /// The temporary folder of pictures that are made.
    private let madePictures: URL
    let apollo: Project
    let deepField: Project
    /// The number of steps that have begun.
    var stepCount = 0

    var projects: Directory<Project> { store.projects }

    init() throws {
        let temporary = AppFolder.tmp.url
        madePictures = temporary.appending(path: "directory-demo-pictures-\(UUID())")
        files = try Self.findPictures(orMakeThemIn: madePictures)
        let name = "directory-demo-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        store = try Store(at: temporary.path + "/" + name, .anyStore)
        apollo = try Project(named: "Apollo", in: store.projects)
        deepField = try Project(named: "Deep Field", in: store.projects)
    }

    func run() async throws {
        print("\("Directory".styled(.title)) keeps collections as plain files.")
        print("This tour works in \(store.folder.path(percentEncoded: false).styled(.bold))")
        // Best effort: they are in a temporary folder, or were not made.
        defer { try? FileManager.default.removeItem(at: madePictures) }
        try collections()
        try children()
        try importPhotos()
        try observation()
        try await changes()
        try renaming()
        try transfer()
        try removal()
        try errors()
        #if os(Linux) || os(macOS)
            try otherProcesses()
            try kills()
        #endif
        try devices()
        try editing()
        try repair()
        try preview()
        try await gallery()
    }

    private func gallery() async throws {
        step(
            "All of this is plain files, and can be looked at",
            """
            directory-demo tree --store DIR
            directory-demo gallery --store DIR
            """)
        try Failure.check(store.printTree())
        let page = store.folder.absoluteURL.appending(path: "gallery.html")
        let gallery = Gallery(of: store)
        try Failure.check(gallery.failures)
        try await gallery.write(to: page)
        print("\nOpen the gallery in a browser:")
        print(page.absoluteString.styled(.bold))
        print("\nLook around, then remove it:")
        print("rm -r \(store.folder.path(percentEncoded: false).quotedForShell.styled(.bold))")
    }
}

extension Tour {
    /// The bytes of each visible file of the store, by path.
    func contents() throws -> [String: Data] {
        let entries = FileManager.default.enumerator(
            at: store.folder, includingPropertiesForKeys: nil, options: .skipsHiddenFiles)
        let files = (entries?.compactMap { $0 as? URL } ?? []).filter { !$0.hasDirectoryPath }
        return try files.reduce(into: [:]) { try $0[$1.path] = Data(contentsOf: $1) }
    }

    /// The photo of the picture called `name`, whatever its extension is.
    func photo(_ name: String, in photos: Directory<Photo>) throws -> Photo {
        let file = files.first { $0.lastPathComponent.hasPrefix("\(name).") }
        return try photos.photo(file?.lastPathComponent ?? name)
    }

    /// Whether the file of the photo has the bytes of its picture.
    func isIdentical(_ photo: Photo, in photos: Directory<Photo>) throws -> Bool {
        let file = files.first { $0.lastPathComponent == photo.name }
        return try photos.data(of: photo.id) == file.map { try Data(contentsOf: $0) }
    }
}
