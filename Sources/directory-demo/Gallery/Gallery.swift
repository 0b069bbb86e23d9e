import Directory
import Foundation

/// One page of HTML with all photos and notes of a store, which needs no other file.
struct Gallery {
    /// The text that marks a file as a gallery, which another gallery may replace.
    static let mark = "<meta name=\"generator\" content=\"directory-demo\">"

    /// The page.
    let html: String
    /// A failure for each project that cannot be read and is not on the page.
    let failures: [Failure]

    /// Reads the photos and notes of each project of `store` that can be read.
    init(of store: Store) {
        let albums: [(html: String, photoCount: Int)]
        (albums, failures) = store.forEachProject { project in
            let photos = try store.open(.photos, of: project)
            let notes = try store.open(.notes, of: project).items.map(\.text)
            return (try Self.section(project.name, photos, notes), photos.count)
        }
        let photoCount = albums.reduce(0) { $0 + $1.photoCount }
        html = Self.page(
            title: store.folder.lastPathComponent.escapedForHTML,
            counts: "\(albums.count.of("project")), \(photoCount.of("photo"))",
            albums.isEmpty
                ? "<p>There are no projects.</p>"
                : albums.map(\.html).joined(separator: "\n"))
    }

    private static func page(title: String, counts: String, _ content: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        \(Self.mark)
        <title>\(title)</title>
        <style>
        \(Self.style)
        </style>
        </head>
        <body>
        <header>
        <h1>\(title)</h1>
        <p>\(counts)</p>
        </header>
        <main>
        \(content)
        </main>
        <dialog id="viewer" aria-label="Photo">
        <img id="large" alt="">
        <p id="caption"></p>
        </dialog>
        <script>
        \(Self.script)
        </script>
        </body>
        </html>

        """
    }

    private static func section(
        _ name: String, _ photos: Directory<Photo>, _ notes: [String]
    ) throws -> String {
        let items = notes.map { "<li>\($0.escapedForHTML)</li>\n" }.joined()
        let list = notes.isEmpty ? "" : "<ul>\n\(items)</ul>\n"
        let figures = try photos.items.map { photo in
            figure(photo, try photos.unlessMissing { try $0.data(of: photo.id) })
        }.joined(separator: "\n")
        let grid =
            photos.isEmpty
            ? "<p>No photos yet.</p>" : "<div class=\"photos\">\n\(figures)\n</div>"
        return "<section>\n<h2>\(name.escapedForHTML)</h2>\n\(list)\(grid)\n</section>"
    }

    /// A photo with the bytes of its file, which are nil if the file is missing.
    private static func figure(_ photo: Photo, _ data: Data?) -> String {
        let name = photo.name.isEmpty ? "Photo" : photo.name.escapedForHTML
        let day = photo.date.formatted(.iso8601.year().month().day())
        let picture =
            if let data, let format = PictureFormat(of: data) {
                "<img src=\"data:\(format.mediaType);base64,\(data.base64EncodedString())\""
                    + " alt=\"\(name)\">"
            } else {
                "<span class=\"none\">\(data == nil ? "The file is missing." : "Not a picture.")</span>"
            }
        return """
            <figure tabindex="0">
            \(picture)
            <figcaption><b>\(name)</b><br>\(day), \(photo.byteCount.asBytes)</figcaption>
            </figure>
            """
    }
}

extension String {
    /// The text escaped for HTML, between tags and in attributes in double quotes.
    ///
    /// A browser reads scalars, so scalars are escaped, not characters: `<` with a combining mark after it is
    /// one `Character`. A control character that is not white space becomes a replacement character.
    var escapedForHTML: String {
        let entities: [Unicode.Scalar: String] = [
            "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;", "\n": "\n",
            "\t": "\t",
        ]
        return unicodeScalars.map { scalar in
            let isControl = scalar.properties.generalCategory == .control
            return entities[scalar] ?? (isControl ? "\u{FFFD}" : String(scalar))
        }.joined()
    }
}
