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
        let sections: [String]
        (sections, failures) = store.forEachProject { project in
            try Self.section(
                project.name, store.open(.photos, of: project),
                store.open(.notes, of: project).items.map(\.text))
        }
        let title = store.folder.lastPathComponent.escapedForHTML
        html = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            \(Self.mark)
            <title>\(title)</title>
            <style>
            \(Self.style)
            </style>
            </head>
            <body>
            <h1>\(title)</h1>
            \(sections.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func section(
        _ name: String, _ photos: Directory<Photo>, _ notes: [String]
    ) throws -> String {
        let items = notes.map { "<li>\($0.escapedForHTML)</li>\n" }.joined()
        let figures = try photos.items.map { photo in
            figure(photo, try photos.file(of: photo).map { try Data(contentsOf: $0) })
        }
        return """
            <h2>\(name.escapedForHTML)</h2>
            <ul>
            \(items)</ul>
            <div>
            \(figures.joined(separator: "\n"))
            </div>
            """
    }

    /// A photo with the bytes of its file, which are nil if the file is missing.
    private static func figure(_ photo: Photo, _ data: Data?) -> String {
        let name = photo.name.isEmpty ? "Photo" : photo.name.escapedForHTML
        let day = photo.date.dayAsText
        let picture =
            if let data, let format = PictureFormat(of: data) {
                "<img src=\"data:image/\(format.rawValue);base64,\(data.base64EncodedString())\""
                    + " alt=\"\(name)\">"
            } else {
                "<span>\(data == nil ? "The file is missing." : "Not a picture.")</span>"
            }
        return """
            <figure tabindex="0">
            \(picture)
            <figcaption><b>\(name)</b><br>\(day), \(photo.byteCount.asBytes)</figcaption>
            </figure>
            """
    }

    /// The style of the page, in light and in dark mode.
    ///
    /// The photo that has the focus is large, so a click or the Tab key is enough to look at photos.
    private static let style = """
        :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
        body { margin: 0 auto; max-width: 72rem; padding: 2rem; overflow-wrap: anywhere; }
        li { white-space: pre-line; }
        div { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); }
        figure {
          margin: 0; border: 1px solid GrayText; border-radius: .75rem;
          background: Canvas; overflow: hidden; cursor: zoom-in;
        }
        figure > :first-child { display: block; width: 100%; aspect-ratio: 4 / 3; object-fit: cover; }
        figcaption, span { padding: .6rem .8rem; font-size: .85rem; }
        figure:focus { position: fixed; inset: 1rem; outline: 100vmax solid rgb(0 0 0 / .8); }
        figure:focus img { height: calc(100% - 4rem); object-fit: contain; }
        """
}

extension String {
    /// The text escaped for HTML, between tags and in attributes in double quotes.
    ///
    /// A browser reads scalars, so scalars are escaped, not characters: `<` with a combining mark after it is
    /// one `Character`. A control character that is not white space becomes a replacement character.
    fileprivate var escapedForHTML: String {
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
