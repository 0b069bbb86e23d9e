import Directory
package import FileSystem
import TestSupport

extension Tree {
    /// A disk that holds this tree beside what is on `image`, and nothing unfinished, for a process that commits in
    /// `mode`.
    package func disk(
        _ mode: CommitMode, beside image: MemoryFileSystem.Image = MemoryFileSystem().image
    ) throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem(image)
        let session = try Session(on: ProcessFileSystem(disk), .rewrite)
        try session.fill(with: mode.startsWithJournals ? beforeJournals : self)
        try session.forEachCollection { try $0.checkpoint() }
        if mode.startsWithJournals { try addJournals(to: disk) }
        return disk.image
    }

    /// A disk that holds only a copy of projects, ``copied``, at ``Session/copy``.
    package static func diskWithCopy() throws -> MemoryFileSystem.Image {
        let disk = MemoryFileSystem()
        for path in [["copies"], ["copies", "old"], ["copies", "new"], ["copies", "hand"]] {
            let parent = try disk.openFolder(at: "/" + path.dropLast().joined(separator: "/"))
            try disk.makeFolder(FileName(validating: path[path.count - 1]), in: parent, mode: 0o700)
        }
        do {
            let session = try Session(on: ProcessFileSystem(disk), .rewrite)
            try session.fill(with: Tree(projects: copied))
            try session.projects.copy(to: Session.copy)
        }
        try disk.removeTree("store", in: disk.openFolder(at: "/"))
        return disk.image
    }

    /// Contents that differ in each index that has several boxes, notes or photographs, so that
    /// journals can make this tree of them.
    private var beforeJournals: Tree {
        var tree = self
        tree.notes.changeFirst()
        for shelf in [\Tree.projects, \.archive] { tree[keyPath: shelf].changeEach() }
        return tree
    }

    /// Leaves journals beside indexes, as a process that is killed does.
    private func addJournals(to disk: MemoryFileSystem) throws {
        let process = ProcessFileSystem(disk)
        let session = try Session(on: process, .journal)
        if let note = notes.first { try session.notes(in: []).update(note) }
        try session.restore(projects, in: session.projects)
        try session.restore(archive, in: session.archive)
        process.kill()
    }
}

extension Session {
    /// Makes all that is in `tree`.
    package func fill(with tree: Tree) throws {
        for note in tree.notes { try Step.appendNote(note, in: []).perform(in: self) }
        try fill(.projects, with: tree.projects, [])
        try fill(.projects, with: tree.archive, [])
        for node in tree.archive {
            try Step.transferBox(node.box.id, from: .projects, to: .archive).perform(in: self)
        }
    }

    private func fill(_ shelf: Shelf, with nodes: [Tree.Node], _ path: [Int]) throws {
        for node in nodes {
            try Step.appendBox(node.box, on: shelf).perform(in: self)
            let path = path + [node.box.id]
            for note in node.notes { try Step.appendNote(note, in: path).perform(in: self) }
            for photo in node.photos {
                try photos(in: path).insert(Photograph.bytes(of: photo.file), name: photo.name)
            }
            try fill(.parts(path), with: node.parts, path)
        }
    }

    /// Takes back what ``Swift/Array/changeEach()`` changed.
    fileprivate func restore(_ nodes: [Tree.Node], in boxes: Directory<Box>) throws {
        try boxes.load()
        for _ in nodes.dropFirst() { try boxes.moveFirst() }
        for node in nodes {
            let (notes, photos, parts) = try children(of: node.box.id, in: boxes)
            if let note = node.notes.first { try notes.update(note) }
            try photos.load()
            for (expected, photo) in zip(node.photos, photos.items) {
                var photo = photo
                photo.name = expected.name
                try photos.update(photo)
            }
            try restore(node.parts, in: parts)
        }
    }
}

extension [Note] {
    fileprivate mutating func changeFirst() {
        if !isEmpty { self[0].title = "z" }
    }
}

extension [Tree.Node] {
    /// Changes the order of the boxes, and something of each collection in them.
    fileprivate mutating func changeEach() {
        if count > 1 { append(removeFirst()) }
        for index in indices {
            self[index].notes.changeFirst()
            for photo in self[index].photos.indices { self[index].photos[photo].name += "z" }
            self[index].parts.changeEach()
        }
    }
}

extension MemoryFileSystem.Image {
    /// The names of files that an interrupted transaction left and that no recovery removed.
    ///
    /// A stage without an intent is not among them: it may belong to a process that still runs.
    package var leftovers: [String] {
        var trash: [UInt64] = []
        var found: [String] = []
        let staged = foldersInStages
        for case (let folder, .folder(let entries)) in contents where !staged.contains(folder) {
            for (name, inode) in entries {
                if name.string == ".trash" { trash.append(inode) }
                let isLeft =
                    ["intent", "tree", "committed"].contains(name.string)
                    || name.string.hasSuffix(".tmp") || name.string.hasPrefix("removed-")
                if isLeft { found.append(name.string) }
            }
        }
        for inode in trash {
            if case .folder(let entries)? = contents[inode] { found += entries.keys.map(\.string) }
        }
        return found
    }

    /// The folders in stages, which are those of containers that a write was about to add, and all folders in them.
    private var foldersInStages: Set<UInt64> {
        func folders(in inodes: some Sequence<UInt64>) -> [UInt64] {
            inodes.flatMap { inode -> [UInt64] in
                guard case .folder(let entries)? = contents[inode] else { return [] }
                return entries.values.filter {
                    if case .folder? = contents[$0] { true } else { false }
                }
            }
        }
        let staging = contents.values.flatMap { content -> [UInt64] in
            guard case .folder(let entries) = content else { return [] }
            return [entries[".staging"]].compactMap(\.self)
        }
        var found: Set<UInt64> = []
        var next = folders(in: folders(in: staging))
        while let folder = next.popLast() {
            if found.insert(folder).inserted { next += folders(in: [folder]) }
        }
        return found
    }
}
