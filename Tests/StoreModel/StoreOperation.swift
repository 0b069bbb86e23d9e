/// The operations on a store that scenarios interrupt, each on the first things that it can work on.
package enum StoreOperation: String, CaseIterable, Sendable {
    case insertNote, updateNote, moveNote, removeNote
    case insertBox, updateBox, moveBox, renameBox, renameBoxInCaseOnly, removeBox, severalChanges
    /// Two boxes swap their names; each of three gets the name of the next; a box is removed and another one gets its
    /// name.
    case swapBoxNames, cycleBoxNames, replaceBox
    case importTwoPhotos, importThreePhotos, removePhoto, replaceAndImport
    case transferBox, transferPhoto
    case checkpoint
    /// Several collections change in one commit: that of the boxes and the notes in one; the notes in two boxes; the
    /// name of a box and the notes in it; a new box that comes with a note and photographs; the photographs
    /// in one box while another box is removed.
    case writeBoxAndNote, writeTwoNotes, writeNameAndNote, writeFullBox, writePhotosAndRemoval
    /// Takes back the operation just before, and makes it again.
    case undo, redo

    /// The operations that a store with an undo limit takes back.
    package static let undoable: [StoreOperation] =
        [
            .removeNote, .insertBox, .renameBox, .removeBox, .severalChanges, .swapBoxNames,
            .cycleBoxNames, .replaceBox,
            .importTwoPhotos, .removePhoto, .replaceAndImport,
        ] + treeWrites

    /// Those that change several collections.
    package static let treeWrites: [StoreOperation] = [
        .writeBoxAndNote, .writeTwoNotes, .writeNameAndNote, .writeFullBox, .writePhotosAndRemoval,
    ]

    /// The modes in which tests without a simulated disk try it: each index of a write to several collections is
    /// written as in other operations.
    package var modes: [CommitMode] {
        Self.treeWrites.contains(self) ? [.rewrite, .journal] : CommitMode.durable
    }

    /// What the operation makes of `tree`; nil if the tree lacks what it works on.
    package func applied(to tree: Tree) -> Tree? {
        guard let step = step(on: tree), var next = step.applied(to: tree) else { return nil }
        if self != .undo, self != .redo {
            next.taken = Self.undoable.contains(self) ? step.taken(from: tree, to: next) : nil
        }
        next.lastNumber += 1
        return next
    }

    /// The operation in a store that holds `tree`; nil if the tree lacks what it works on.
    package func step(on tree: Tree) -> Step? {
        let number = tree.lastNumber + 1
        switch self {
        case .insertNote: return .appendNote(Note(id: number, title: "n"), in: [])
        case .insertBox:
            return .appendBox(Box(id: number, folderName: "I\(number)"), on: .projects)
        case .updateNote, .moveNote, .removeNote:
            return tree.notes.first.flatMap { step(on: $0, of: tree.notes.count) }
        case .removePhoto, .replaceAndImport, .transferPhoto:
            return tree.projects.firstIndex { !$0.photos.isEmpty }
                .flatMap { step(onPhotosOf: $0, tree.projects, number) }
        case .writeBoxAndNote, .writeTwoNotes, .writeNameAndNote, .writeFullBox,
            .writePhotosAndRemoval:
            return tree.projects.first.flatMap {
                treeWrite($0, tree.projects.dropFirst().first, number)
            }
        case .checkpoint: return .checkpoint
        case .undo: return tree.taken.flatMap { $0.isUndone ? nil : .undo($0.place) }
        case .redo: return tree.taken.flatMap { $0.isUndone ? .redo($0.place) : nil }
        default:
            return tree.projects.first.flatMap {
                step(on: $0.box, tree.projects.dropFirst(), number)
            }
        }
    }

    private func step(on note: Note, of count: Int) -> Step? {
        switch self {
        case .updateNote:
            // The title is longer than a sector of a disk, so that the record can be torn.
            let letter = note.title.first == "u" ? "v" : "u"
            let title = String(repeating: letter, count: 700)
            return .updateNote(Note(id: note.id, title: title), in: [])
        case .moveNote: return count > 1 ? .moveFirst(.notes([])) : nil
        default: return .removeNote(note.id, in: [])
        }
    }

    private func step(on box: Box, _ others: ArraySlice<Tree.Node>, _ number: Int) -> Step? {
        let (id, name) = (box.id, box.folderName)
        switch self {
        case .updateBox: return .renameBox(id, to: name, on: .projects)
        case .renameBox: return .renameBox(id, to: name + "r", on: .projects)
        case .renameBoxInCaseOnly:
            let new = name == name.uppercased() ? name.lowercased() : name.uppercased()
            return .renameBox(id, to: new, on: .projects)
        case .removeBox: return .removeBox(id, from: .projects)
        case .moveBox: return others.isEmpty ? nil : .moveFirst(.boxes(.projects))
        case .severalChanges: return others.first.map { severalChanges(id, $0.box, number) }
        case .swapBoxNames:
            return others.first.map { other in
                let steps: [Step] = [
                    .renameBox(id, to: other.box.folderName, on: .projects),
                    .renameBox(other.box.id, to: name, on: .projects),
                ]
                return .write(steps, on: .projects)
            }
        case .cycleBoxNames:
            let boxes = [box] + others.map(\.box)
            guard boxes.count > 2 else { return nil }
            return .write(
                zip(boxes, boxes[1...2] + [box]).map { box, next in
                    .renameBox(box.id, to: next.folderName, on: .projects)
                }, on: .projects)
        case .replaceBox:
            let steps: [Step] = [
                .removeBox(id, from: .projects),
                .appendBox(Box(id: number, folderName: name), on: .projects),
            ]
            return .write(steps, on: .projects)
        // The second file has several pages.
        case .importTwoPhotos: return .importPhotos(["p\(number)", "q\(number)"], into: [id])
        case .importThreePhotos:
            return .importPhotos(["p\(number)", "q\(number)", "r\(number)"], into: [id])
        case .transferBox: return .transferBox(id, from: .projects, to: .archive)
        default: return nil
        }
    }

    private func severalChanges(_ first: Int, _ second: Box, _ number: Int) -> Step {
        .write(
            [
                .removeBox(first, from: .projects),
                .renameBox(second.id, to: second.folderName + "s", on: .projects),
                .appendBox(Box(id: number, folderName: "S\(number)"), on: .projects),
            ], on: .projects)
    }

    private func step(onPhotosOf index: Int, _ nodes: [Tree.Node], _ number: Int) -> Step? {
        let (path, photos) = ([nodes[index].box.id], nodes[index].photos)
        switch self {
        case .removePhoto: return .removePhotos([photos[0].name], from: path)
        case .replaceAndImport:
            return .replacePhoto(
                photos[0].name, by: "f\(number)", importing: "i\(number)", at: photos.count,
                in: path)
        default:
            let target = nodes[(index + 1) % nodes.count].box.id
            guard [target] != path else { return nil }
            return .transferPhotos([photos[0].name], from: path, to: [target])
        }
    }
}

extension StoreOperation {
    /// A change of `node`, of `other`, and of what is in them, in one commit.
    private func treeWrite(_ node: Tree.Node, _ other: Tree.Node?, _ number: Int) -> Step? {
        let (id, note) = (node.box.id, Note(id: number, title: "t"))
        var steps: [Step] = []
        switch self {
        case .writeBoxAndNote:
            let box = Box(id: number, folderName: "T\(number)")
            steps = [.appendBox(box, on: .projects), .appendNote(note, in: [id])]
        case .writeTwoNotes:
            guard let other else { return nil }
            steps = [.appendNote(note, in: [id]), .appendNote(note, in: [other.box.id])]
        case .writeNameAndNote:
            let name = node.box.folderName + "t"
            steps = [.renameBox(id, to: name, on: .projects), .appendNote(note, in: [id])]
        case .writeFullBox:
            steps = [
                .appendBox(Box(id: number, folderName: "T\(number)"), on: .projects),
                .appendNote(note, in: [number]),
                .importPhotos(["p\(number)", "q\(number)"], into: [number]),
            ]
        case .writePhotosAndRemoval:
            guard let other, let photo = node.photos.first else { return nil }
            steps = [
                .removeBox(other.box.id, from: .projects), .removePhotos([photo.name], from: [id]),
                .importPhotos(["q\(number)"], into: [id]),
            ]
        default: return nil
        }
        return .write(steps, on: .projects)
    }
}
