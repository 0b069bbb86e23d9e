import Directory
import Foundation

extension Command {
    static let watch = Command(
        "watch", "", "Follow the projects until Ctrl-C.", "Each change is a line."
    ) { call in
        let projects = call.store.projects
        let changes = projects.changes
        // The watching ends with the process. An index that cannot be read may become readable again.
        Task { await projects.watch { error in Output.report(error.message) } }
        let place = call.store.folder.path(percentEncoded: false)
        print("watching \(projects.count.of("project")) in \(place.printable)")
        try Output.check()
        for await change in changes {
            change.lines.forEach { print($0) }
            // The reader of this output may have ended.
            try Output.check()
        }
    }
}

extension Directory<Project>.Change {
    /// A line for each project that was added, changed or removed.
    fileprivate var lines: [String] {
        let gone = removed.map { "removed \(name(of: $0, in: before))" }
        let changed = updated.map { id in
            let (old, new) = (name(of: id, in: before), name(of: id, in: after))
            return old == new ? "changed \(new)" : "renamed \(old) to \(new)"
        }
        let added = inserted.map { "added \(name(of: $0, in: after))" }
        let order =
            isReordered ? ["ordered \(after.map(\.name.printable).joined(separator: ", "))"] : []
        return gone + changed + added + order
    }

    private func name(of id: Project.ID, in items: Directory<Project>.Items) -> String {
        items[id: id].map(\.name.printable) ?? id.uuidString
    }
}
