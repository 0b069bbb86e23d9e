import Directory
package import FileSystem
package import Foundation

/// What a person does to the projects of a store with other programs, which lock nothing.
package enum ByHand: Hashable, Sendable {
    /// Adds a note to the index in the folder of this name.
    case editNotes(folder: String)
    /// Adds a project with an empty folder.
    case editProjects
    /// Copies the whole store to ``copy``, and changes the copy.
    case copyStore
    /// Moves the store to another place, adds a note to a project there, and moves it back.
    case moveStore
    /// The same with the folder of the projects alone.
    case moveProjects
    /// The same with the folder of this name, whose notes are opened by their path.
    case renameFolder(String)
    /// Gives the folder of this name another one for so long as the order of the projects changes.
    case missFolder(String)

    /// Where a copy of the store is made.
    package static let copy = URL(filePath: "/copies/hand")

    /// The index that is edited.
    package var editedIndex: String? {
        switch self {
        case .editNotes: "notes.json"
        case .editProjects: "projects.json"
        default: nil
        }
    }
}

extension ByHand {
    /// Makes the change in a model of the store.
    ///
    /// - Throws: ``Refusal``.
    func apply(to tree: inout Tree) throws {
        var id = 1
        if let folder {
            let node = tree.projects.first { $0.box.folderName == folder }
            // An editor needs a file.
            guard let node, editedIndex == nil || !node.notes.isEmpty else {
                throw Refusal(.itemNotFound)
            }
            id = node.box.id
        }
        try step(in: id)?.apply(to: &tree)
    }

    /// The folder of a project that must be there.
    package var folder: String? {
        switch self {
        case .editNotes(let name), .renameFolder(let name), .missFolder(let name): name
        case .editProjects, .copyStore, .moveStore, .moveProjects: nil
        }
    }

    /// What this changes in the store if it works in the project `id`; nil for nothing.
    package func step(in id: Int) -> Step? {
        switch self {
        case .editNotes: .appendNote(.edited, in: [id])
        case .moveStore, .moveProjects, .renameFolder: .appendNote(note, in: [id])
        case .editProjects: .appendBox(.edited, on: .projects)
        case .missFolder: .moveFirst(.boxes(.projects))
        case .copyStore: nil
        }
    }

    /// Makes the change.
    func perform(in session: Session) throws {
        let fileSystem = session.fileSystem
        switch self {
        case .editNotes(let name):
            try edit("/store/projects/\(name)", on: fileSystem) { lines in
                lines.append("{\"id\":\(Note.edited.id),\"title\":\"\(Note.edited.title)\"}")
            }
        case .editProjects:
            let projects = try fileSystem.openFolder(at: "/store/projects")
            let name = try FileName(validating: Box.edited.folderName)
            try fileSystem.makeFolder(name, in: projects, mode: 0o700)
            try fileSystem.sync(projects)
            try edit("/store/projects", on: fileSystem) { lines in
                lines.append("{\"folderName\":\"\(name)\",\"id\":\(Box.edited.id)}")
            }
        case .copyStore:
            let store = try fileSystem.openFolder(at: "/store")
            try fileSystem.copyAll(of: store, to: fileSystem.openFolder(at: Self.copy.path))
            let copy = try Session(at: Self.copy, session.options, on: fileSystem)
            defer { copy.closeOpen() }
            try copy.notes(in: [1]).append(note)
        case .moveStore:
            try fileSystem.renaming("store", to: Self.otherName, in: "/") {
                let moved = try Session(
                    at: URL(filePath: "/\(Self.otherName)"), session.options, on: fileSystem)
                defer { moved.closeOpen() }
                try moved.notes(in: [1]).append(note)
            }
        case .moveProjects:
            try fileSystem.renaming("projects", to: Self.otherName, in: "/store") {
                let projects = try Directory<Box>(
                    at: URL(filePath: "/store/\(Self.otherName)"), index: "projects.json",
                    options: session.options, on: fileSystem)
                let notes = try projects.child(.notes, of: 1)
                defer {
                    for each in [notes, projects] as [any AnyCollection] { try? each.close() }
                }
                try notes.append(note)
            }
        case .renameFolder(let name):
            try fileSystem.renaming(name, to: Self.otherName, in: "/store/projects") {
                let notes = try Directory<Note>(
                    at: URL(filePath: "/store/projects/\(Self.otherName)"), index: "notes.json",
                    options: session.options, on: fileSystem)
                defer { try? notes.close() }
                try notes.append(note)
            }
        case .missFolder(let name):
            try fileSystem.renaming(name, to: Self.otherName, in: "/store/projects") {
                let other = try Session(
                    at: URL(filePath: "/store"), session.options, on: fileSystem)
                defer { other.closeOpen() }
                try other.projects.moveFirst()
            }
        }
    }

    /// Moves a folder back that a power loss has left at its other place.
    package static func moveBack(on fileSystem: some FileSystem) throws {
        for (parent, name) in [("/", "store"), ("/store", "projects"), ("/store/projects", "Ab")] {
            let folder = try fileSystem.openFolder(at: parent)
            let other = try FileName(validating: otherName)
            if try fileSystem.status(of: other, in: folder) != nil {
                try fileSystem.rename(
                    other, in: folder, to: FileName(validating: name), in: folder, replacing: false)
            }
        }
    }

    /// The name of what is moved, as long as it is elsewhere.
    private static let otherName = "Other"

    /// The note that is added by the library, and not in an editor.
    package var note: Note { Note(id: 113, title: "n") }

    /// Replaces an index as an editor does.
    private func edit(
        _ path: String, on fileSystem: some FileSystem, _ change: (inout [String]) -> Void
    ) throws {
        guard let editedIndex else { return }
        let index = try FileName(validating: editedIndex)
        let temporary = try FileName(validating: "\(index)~")
        let folder = try fileSystem.unlessMissing { try fileSystem.openFolder(at: path) }
        guard let folder, let bytes = try fileSystem.readAll(index, in: folder) else {
            throw Refusal(.itemNotFound)
        }
        var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            .dropFirst().dropLast().map { $0.hasSuffix(",") ? String($0.dropLast()) : String($0) }
        change(&lines)
        let file = try fileSystem.openFile(temporary, in: folder, for: .create(mode: 0o600))
        let new = "[\n\(lines.joined(separator: ",\n"))\n]\n"
        try fileSystem.write(Array(new.utf8), to: file, at: 0)
        try fileSystem.sync(file)
        try fileSystem.rename(temporary, in: folder, to: index, in: folder, replacing: true)
        try fileSystem.sync(folder)
    }
}

extension Note {
    /// The note that another program adds.
    package static let edited = Note(id: 103, title: "n")
}

extension Box {
    /// The project that another program adds.
    package static let edited = Box(id: 11, folderName: "Ed")
}

extension Session {
    /// Closes what is open.
    fileprivate func closeOpen() {
        for collection in collections.reversed() { try? collection.close() }
    }
}

extension FileSystem {
    /// Calls `body` while the folder `name` has the name `other`.
    fileprivate func renaming(
        _ name: String, to other: String, in path: String, _ body: () throws -> Void
    ) throws {
        let (name, other) = (try FileName(validating: name), try FileName(validating: other))
        let folder = try unlessMissing { try openFolder(at: path) }
        guard let folder, try status(of: name, in: folder) != nil else {
            throw Refusal(.itemNotFound)
        }
        try rename(name, in: folder, to: other, in: folder, replacing: false)
        try sync(folder)
        let result = Result { try body() }
        try rename(other, in: folder, to: name, in: folder, replacing: false)
        try sync(folder)
        try result.get()
    }

    /// Copies what is in `folder`, also what is hidden.
    fileprivate func copyAll(of folder: Handle, to target: Handle) throws {
        for name in try list(folder) {
            if try status(of: name, in: folder)?.kind == .folder {
                try makeFolder(name, in: target, mode: 0o700)
                try copyAll(of: openFolder(name, in: folder), to: openFolder(name, in: target))
            } else if let bytes = try readAll(name, in: folder) {
                try write(bytes, to: openFile(name, in: target, for: .create(mode: 0o600)), at: 0)
            }
        }
    }
}
