import Directory
import Foundation

extension Command {
    static let show = Command(
        "show", "NAME [PHOTO]", "Draw the photos in the terminal.",
        """
        The terminal must know the graphics protocol of kitty, or the inline images of
        iTerm2. The protocol of kitty takes only PNG files. Elsewhere, and in kitty for
        any other format, each photo is a line of text.
        """
    ) { call in
        let project = try call.project
        let photos = try call.store.open(.photos, of: project)
        let shown =
            try call.operands.dropFirst().first.map { [try photos.photo($0)] }
            ?? Array(photos.items)
        guard !shown.isEmpty else { return print("\(project.name.styled(.bold)) has no photos") }
        let graphics = Graphics()
        let width = shown.map(\.name.count).max() ?? 0
        var isComplete = true
        for photo in shown {
            let file = try photos.file(of: photo)
            var drawing: String?
            if let graphics, let file {
                // A picture alone can be larger than one of many.
                let rows = shown.count == 1 ? 20 : 12
                drawing = graphics.drawing(try Data(contentsOf: file), name: photo.name, rows: rows)
            }
            isComplete = isComplete && drawing != nil
            let day = photo.date.dayAsText
            let name = photo.name.padded(to: width).styled(.bold)
            let size = photo.byteCount.asBytes.rightAligned(to: 9)
            let problem = file == nil ? "  the file is missing" : ""
            print("\(drawing ?? "")\(name)  \(size)  \(day)\(problem)")
        }
        if !isComplete, Terminal.isInteractive {
            print("See all photos in a browser with: directory-demo gallery".styled(.dim))
        }
    }
}
