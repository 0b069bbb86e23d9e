import FileStore
import Foundation

extension Command {
    @Sendable static func gallery(_ call: Call) async throws {
        let path = call.options[.output] ?? "gallery.html"
        let gallery = try Gallery(of: call.store)
        if path == "-" { return print(gallery.html, terminator: "") }
        let file = URL(filePath: path)
        try await gallery.write(to: file, overwriting: call.has(.force))
        call.say("Made \(file.relativePath.styled(.blue)), \(gallery.html.utf8.count.asBytes)")
        call.say("Open \(file.absoluteURL.absoluteString.styled(.blue))")
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
                .operation, "there is something at \(path) already",
                hint: "Replace it with --force.")
        }
        do {
            try await folder.save(Data(html.utf8), to: name, overwrite: true)
        } catch let error as FileStoreError {
            throw Failure(.operation, "cannot write \(path): \(error.localizedDescription)")
        }
    }

    private static func isGallery(_ file: URL) -> Bool {
        guard let handle = try? FileHandle(forReadingFrom: file),
            let start = try? handle.read(upToCount: 4096)
        else { return false }
        return String(decoding: start, as: UTF8.self).contains(mark)
    }
}
