import FileStore
import Foundation

extension Command {
    @Sendable static func gallery(_ call: Call) async throws {
        let path = call.options[.output] ?? "gallery.html"
        guard path == "-" else {
            return try await gallery(in: URL(filePath: path, directoryHint: .checkFileSystem), call)
        }
        guard !call.has(.force) else {
            throw Failure(.usage, "--force is not for standard output", hint: Command.hint)
        }
        let gallery = Gallery(of: call.store)
        print(gallery.html, terminator: "")
        try Failures.check(gallery.failures)
    }

    private static func gallery(in file: URL, _ call: Call) async throws {
        if file.hasDirectoryPath {
            let example = file.appending(path: "gallery.html").relativePath
            throw Failure(
                "\(file.relativePath) is a folder",
                hint: "Give a file, such as --output \(example)")
        }
        try file.check(isOutside: call.store, to: "write")
        let gallery = Gallery(of: call.store)
        try await gallery.write(to: file, overwriting: call.has(.force))
        call.say("Made \(file.relativePath.styled(.blue)), \(gallery.html.utf8.count.asBytes)")
        call.say("Open \(file.absoluteURL.absoluteString.styled(.blue))")
        try Failures.check(gallery.failures)
    }
}

extension Gallery {
    /// Writes the page to `file`; a file that is not a gallery is replaced only if `overwriting`.
    ///
    /// - Throws: ``Failure`` with the path.
    func write(to file: URL, overwriting: Bool = false) async throws {
        let file = file.absoluteURL.standardizedFileURL
        let path = file.path(percentEncoded: false)
        let folder = DiskFileStore(at: file.deletingLastPathComponent(), fileProtection: .none)
        let name = file.lastPathComponent
        if !overwriting, folder.exists(name), !Self.isGallery(file) {
            throw Failure(
                "there is something at \(path) already",
                hint: "Replace it with --force.")
        }
        do {
            try await folder.save(Data(html.utf8), to: name, overwrite: true)
        } catch let error as FileStoreError {
            throw Failure("cannot write \(path): \(error.localizedDescription)")
        }
    }

    private static func isGallery(_ file: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file),
            let start = try? handle.read(upToCount: 4096)
        else { return false }
        return String(decoding: start, as: UTF8.self).contains(mark)
    }
}
