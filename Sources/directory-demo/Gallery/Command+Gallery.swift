import FileStore
import Foundation

extension Command {
    static let gallery = Command(
        "gallery", "", options: [.output, .force], "Make a page with all photos and notes.",
        """
        It is one file of HTML, by default gallery.html in the current folder, which
        needs no network. A file that is no gallery is replaced with --force only.
        """
    ) { call in
        let path = call.options[.output] ?? "gallery.html"
        let gallery = Gallery(of: call.store)
        if path == "-" {
            guard !call.has(.force) else {
                throw Failure(.usage, "--force is not for standard output", hint: hint)
            }
            print(gallery.html, terminator: "")
        } else {
            let file = URL(filePath: path, directoryHint: .checkFileSystem)
            try file.check(isOutside: call.store, to: "write")
            try await gallery.write(to: file, overwriting: call.has(.force))
            call.say("Made \(file.relativePath.styled(.blue)), \(gallery.html.utf8.count.asBytes)")
            call.say("Open \(file.absoluteURL.absoluteString.styled(.blue))")
        }
        try Failure.check(gallery.failures)
    }
}

extension Gallery {
    /// Writes the page to `file`; a file that is not a gallery is replaced only if `overwriting`.
    ///
    /// - Throws: ``Failure`` if something else is there; `FileStoreError`.
    func write(to file: URL, overwriting: Bool = false) async throws {
        let path = file.relativePath
        if file.hasDirectoryPath {
            throw Failure(
                "\(path) is a folder", hint: "Give a file, such as --output \(path)/gallery.html")
        }
        let file = file.absoluteURL.standardizedFileURL
        let folder = DiskFileStore(at: file.deletingLastPathComponent(), fileProtection: .none)
        let name = file.lastPathComponent
        if !overwriting, folder.exists(name), !Self.isGallery(file) {
            throw Failure("there is something at \(path) already", hint: "Replace it with --force.")
        }
        try await folder.save(Data(html.utf8), to: name, overwrite: true)
    }

    private static func isGallery(_ file: URL) -> Bool {
        // A file that cannot be read is not replaced.
        let start = try? FileHandle(forReadingFrom: file).read(upToCount: 4096)
        return String(decoding: start ?? Data(), as: UTF8.self).contains(mark)
    }
}
