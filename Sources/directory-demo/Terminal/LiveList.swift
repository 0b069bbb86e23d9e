import Directory
import Foundation

/// A list of projects on a terminal that is drawn again in its place.
struct LiveList {
    let title: String
    /// The number of lines that were drawn last.
    private var height = 0

    init(title: String) { self.title = title }

    /// Draws `projects`, with those that `change` added or updated in green.
    mutating func draw(
        _ projects: Directory<Project>.Items, newIn change: Directory<Project>.Change? = nil
    ) {
        let new = Set((change?.inserted ?? []) + (change?.updated ?? []))
        let size = Terminal.size
        // A line that left the screen could not be drawn again.
        let shown = projects.prefix(max(1, size.rows - 3))
        var lines = [
            "\(projects.count.of("project")) in \(title)".clipped(to: size.columns).styled(.bold)
        ]
        lines += shown.map { project in
            let name = "  \(project.name)  \(project.folderName)".clipped(to: size.columns)
            return name.styled(new.contains(project.id) ? .green : .plain)
        }
        if shown.count < projects.count {
            lines.append("  and \(projects.count - shown.count) more")
        }
        let up = height > 0 ? "\u{1B}[\(height)A" : ""
        print("\(up)\r\u{1B}[J\(lines.joined(separator: "\n"))")
        Output.show()
        height = lines.count
    }
}
