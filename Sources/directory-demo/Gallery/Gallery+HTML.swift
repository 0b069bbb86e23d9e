import Foundation

extension Gallery {
    /// The page.
    var html: String {
        let photoCount = albums.reduce(0) { $0 + $1.photos.count }
        let content =
            albums.isEmpty
            ? "<p>There are no projects.</p>" : albums.map(\.html).joined(separator: "\n")
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            \(Self.mark)
            <title>\(title.escapedForHTML)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <header>
            <h1>\(title.escapedForHTML)</h1>
            <p>\(albums.count.of("project")), \(photoCount.of("photo"))</p>
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
}

extension Gallery.Album {
    fileprivate var html: String {
        let items = notes.map { "<li>\($0.escapedForHTML)</li>\n" }.joined()
        let list = notes.isEmpty ? "" : "<ul>\n\(items)</ul>\n"
        let figures = photos.map(\.html).joined(separator: "\n")
        let grid =
            photos.isEmpty
            ? "<p>No photos yet.</p>" : "<div class=\"photos\">\n\(figures)\n</div>"
        return "<section>\n<h2>\(name.escapedForHTML)</h2>\n\(list)\(grid)\n</section>"
    }
}

extension Gallery.Picture {
    fileprivate var html: String {
        let name = name.isEmpty ? "Photo" : name.escapedForHTML
        let day = date.formatted(.iso8601.year().month().day())
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
            <figcaption><b>\(name)</b><br>\(day), \(byteCount.asBytes)</figcaption>
            </figure>
            """
    }
}

extension String {
    /// The text as it stands in HTML, between tags and in attributes in double quotes.
    ///
    /// A browser reads scalars, so they are escaped one by one: with a mark after it, `<` is another
    /// `Character`. A control character that is not white space becomes a replacement character.
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
