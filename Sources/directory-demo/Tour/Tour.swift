import Directory
import Foundation

/// The tour: shows the library on a new temporary store.
final class Tour {
    let store: Store
    private let pictures: TourPictures
    let apollo: Project
    let deepField: Project
    /// The number of steps that have begun.
    var stepCount = 0

    var projects: Directory<Project> { store.projects }
    var files: [URL] { pictures.files }

    init() throws {
        pictures = try TourPictures()
        let name = "directory-demo-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        store = try Store(at: FileManager.default.temporaryDirectory.path + "/" + name, .anyStore)
        apollo = try Project(named: "Apollo", in: store.projects)
        deepField = try Project(named: "Deep Field", in: store.projects)
    }

    func run() async throws {
        print("\("Directory".styled(.title)) keeps collections as plain files.")
        print("This tour works in \(store.folder.path(percentEncoded: false).styled(.bold))")
        defer { pictures.remove() }
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

    /// The photo of the picture called `stem`, without its extension.
    func photo(_ stem: String, in photos: Directory<Photo>) throws -> Photo {
        let file = files.first { $0.stem == stem }
        return try photos.photo(file?.lastPathComponent ?? stem)
    }

    /// Whether the file of the photo has the bytes of its picture.
    func isIdentical(_ photo: Photo, in photos: Directory<Photo>) throws -> Bool {
        guard let file = files.first(where: { $0.lastPathComponent == photo.name }) else {
            return false
        }
        return try photos.data(of: photo.id) == Data(contentsOf: file)
    }
}
