import StoreModel

extension Operation {
    /// Those that change several collections in one commit.
    static let joint: [Operation] = [
        .treeNotes, .treeMoves, .treePart, .undoTreeMoves, .archiveProject, .nestProject,
        .raisePart, .restore, .merge,
    ]

    /// A project is removed if nothing in it was changed.
    static let removalOfKnownProject = Step.write(
        [
            .expectNotes([11, 12], in: [1]), .expectPhotos(["p1", "p2"], in: [1]),
            .removeBox(1, from: .projects),
        ], on: .projects)

    /// The same of a part.
    static let removalOfKnownPart = Step.write(
        [
            .expectNotes([31], in: [1, 3]), .expectPhotos(["p3"], in: [1, 3]),
            .removeBox(3, from: .parts([1])),
        ], on: .parts([1]))

    /// A new project and notes at three depths.
    static let notesInTree = Step.write(
        [
            .appendBox(Box(id: 6, folderName: "Tn"), on: .projects),
            .appendNote(Note(id: 106, title: "n"), in: [1]),
            .appendNote(Note(id: 107, title: "n"), in: [1, 3]),
            .removeNote(21, in: [2]),
        ], on: .projects)

    /// A project gets another name, with changes in it and in its part; another project is removed.
    static let movesInTree = Step.write(
        [
            .renameBox(1, to: "Tm", on: .projects),
            .removeBox(2, from: .projects),
            .appendNote(Note(id: 108, title: "n"), in: [1]),
            .removePhotos(["p1"], from: [1]),
            .importPhotos(["i11"], into: [1, 3]),
        ], on: .projects)

    /// A new part with a note and a photograph, beside another one that changes with its name.
    static let partInTree = Step.write(
        [
            .appendBox(Box(id: 5, folderName: "Tp"), on: .parts([1])),
            .appendNote(Note(id: 109, title: "n"), in: [1, 5]),
            .importPhotos(["i12"], into: [1, 5]),
            .renameBox(3, to: "Pt", on: .parts([1])),
            .replacePhoto("p3", by: "f13", importing: "i13", at: 1, in: [1, 3]),
        ], on: .parts([1]))
}

extension Step {
    /// The same change with other photographs.
    var ofSecond: Step {
        switch self {
        case .importPhotos(let names, let path):
            .importPhotos(names.map { $0 + "b" }, into: path)
        case .replacePhoto(let name, let file, let imported, let position, let path):
            .replacePhoto(name, by: file + "b", importing: imported + "b", at: position, in: path)
        case .write(let steps, let shelf): .write(steps.map(\.ofSecond), on: shelf)
        default: self
        }
    }
}
