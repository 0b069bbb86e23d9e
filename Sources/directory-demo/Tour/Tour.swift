import Directory
import Foundation

/// The tour: shows what the library can do, on a new temporary store.
struct Tour {
    let store: Store
    let files: [URL]
    let apollo: Project
    let deepField: Project
    let narrator = Narrator()

    var projects: Directory<Project> { store.projects }

    init() throws {
        files = try Fixtures.photos()
        let name = "directory-demo-\(String(UInt32.random(in: .min ... .max), radix: 36))"
        store = try Store(at: FileManager.default.temporaryDirectory.path + "/" + name)
        apollo = try Project(named: "Apollo", in: store.projects)
        deepField = try Project(named: "Deep Field", in: store.projects)
    }

    func run() async throws {
        print("\("Directory".styled(.title)) keeps collections as plain files.")
        print("This tour works in \(store.folder.path(percentEncoded: false).styled(.bold))")
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
        try editing()
        try repair()
        try preview()
        try end()
    }

    private func end() throws {
        narrator.step("All of this is plain files", "directory-demo tree --store DIR")
        try store.printTree()
        print("\nLook around, then remove it:")
        print("rm -r \(store.folder.path(percentEncoded: false).styled(.bold))")
    }
}

extension Tour {
    /// The bytes of each visible file of the store, by path.
    func contents() throws -> [String: Data] {
        let path = store.folder.path(percentEncoded: false)
        let names = try FileManager.default.subpathsOfDirectory(atPath: path)
        return try names.reduce(into: [:]) { contents, name in
            let url = store.folder.appending(path: name)
            let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
            let values = try url.resourceValues(forKeys: [.isRegularFileKey])
            guard !isHidden, values.isRegularFile == true else { return }
            contents[name] = try Data(contentsOf: url)
        }
    }

    /// Whether the file of the photo has the bytes of the fixture `name`.
    func isIdentical(_ photo: Photo, in photos: Directory<Photo>, to name: String) throws -> Bool {
        guard let file = files.first(where: { $0.lastPathComponent == name }) else { return false }
        return try photos.data(of: photo.id) == Data(contentsOf: file)
    }
}
