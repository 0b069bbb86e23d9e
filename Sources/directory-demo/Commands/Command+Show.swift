import Directory
import Foundation

extension Command {
    @Sendable static func show(_ call: Call) throws {
        let project = try call.project
        let photos = try call.store.open(.photos, of: project)
        let shown =
            try call.operands.dropFirst().first.map { [try photos.photo($0)] }
            ?? Array(photos.items)
        guard !shown.isEmpty else { return print("\(project.name.styled(.bold)) has no photos") }
        let graphics = try Graphics.ask()
        let size = Terminal.size
        // A picture alone can be larger than one of many.
        let rows = max(4, min(shown.count == 1 ? 24 : 12, size.rows - 3))
        let width = shown.map(\.name.columns).max() ?? 0
        var isIncomplete = graphics == nil
        for photo in shown {
            let day = photo.date.formatted(.iso8601.year().month().day())
            let name = photo.name.padded(to: width).styled(.bold)
            var line = "\(name)  \(photo.byteCount.asBytes.rightAligned(to: 9))  \(day)"
            if let graphics {
                if let data = try photos.unlessMissing({ try $0.data(of: photo.id) }) {
                    let drawing = graphics.drawing(
                        data, name: photo.name, rows: rows, columns: size.columns)
                    isIncomplete = isIncomplete || drawing == nil
                    print(drawing ?? "", terminator: "")
                } else {
                    line += "  the file is missing"
                }
            }
            Terminal.printLine(line)
            Output.show()
        }
        if isIncomplete, Terminal.canAsk {
            Terminal.printLine(
                "See all photos in a browser with: directory-demo gallery".styled(.dim))
        }
    }
}
