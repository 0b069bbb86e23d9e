import Directory
import StoreModel

/// What one process does in a schedule.
enum Operation: String, CaseIterable, Sendable {
    case transferPhoto, transferPhotoBack, transferPhotoUp, transferPhotoDown
    case removeProject, removeTarget, removePart
    /// Removals that depend on what the process sees in the box, in the same write.
    case removeKnownProject, removeKnownPart
    case renameProject, renameTarget, reuseName, reuseTargetName, removeAndReuseName
    /// Names that change hands in one write.
    case swapNames, cycleNames, replaceProject, undoSwap, undoReplacedProject
    /// Several collections that change in one commit.
    case treeNotes, treeMoves, treePart, undoTreeMoves
    case archiveProject, nestProject, raisePart
    case appendNote, updateNote, removeNote, appendNestedNote, appendTargetNote
    case importPhoto, importTwoPhotos, importNestedPhoto, removePhoto, replacePhoto
    /// The process takes back what it did, and makes it again.
    case undoRemovedProject, undoRemovedTarget, undoRemovedPart, undoNewProject, undoRename
    case undoRemovedPhoto, undoReplacedPhoto, undoImport, redoRemovedProject, redoRemovedPhoto
    /// The process loaded the projects before the schedule began, and opens the child in it.
    case staleNote, stalePhoto, staleNestedNote
    /// The process opened the child before the schedule began.
    case heldPhoto, heldTransfer
    /// The process brings back what it removed.
    case bringBackProject, bringBackPart, bringBackPhoto
    case copy, restore, merge
    case checkpoint, close, repair, open
    /// A person uses other programs.
    case edit, editProjects, copyStore, moveStore, moveProjects, renameFolder, missFolder

    /// The changes, one after the other.
    var steps: [Step] {
        switch self {
        case .transferPhoto, .heldTransfer: [.transferPhotos(["p1"], from: [1], to: [2])]
        case .transferPhotoBack: [.transferPhotos(["p4"], from: [2], to: [1])]
        case .transferPhotoUp: [.transferPhotos(["p3"], from: [1, 3], to: [2])]
        case .transferPhotoDown: [.transferPhotos(["p4"], from: [2], to: [1, 3])]
        case .removeProject: [.removeBox(1, from: .projects)]
        case .removeTarget: [.removeBox(2, from: .projects)]
        case .removePart: [.removeBox(3, from: .parts([1]))]
        case .removeKnownProject: [Self.removalOfKnownProject]
        case .removeKnownPart: [Self.removalOfKnownPart]
        case .renameProject: [.renameBox(1, to: "Xy", on: .projects)]
        case .renameTarget: [.renameBox(2, to: "Yz", on: .projects)]
        case .reuseName: reuse("Ab", .renameBox(1, to: "Xy", on: .projects))
        case .reuseTargetName: reuse("Cd", .renameBox(2, to: "Yz", on: .projects))
        case .removeAndReuseName: reuse("Cd", .removeBox(2, from: .projects))
        case .swapNames: [Self.swap]
        case .cycleNames: [.appendBox(Box(id: 8, folderName: "Un"), on: .projects), Self.cycle]
        case .replaceProject: [Self.replacement]
        case .undoSwap: [Self.swap, .undo(.boxes(.projects))]
        case .undoReplacedProject: [Self.replacement, .undo(.boxes(.projects))]
        case .treeNotes: [Self.notesInTree]
        case .treeMoves: [Self.movesInTree]
        case .treePart: [Self.partInTree]
        case .undoTreeMoves: [Self.movesInTree, .undo(.boxes(.projects))]
        case .archiveProject: [.transferBox(1, from: .projects, to: .archive)]
        case .nestProject: [.transferBox(2, from: .projects, to: .parts([1]))]
        case .raisePart: [.transferBox(3, from: .parts([1]), to: .projects)]
        case .appendNote: [.appendNote(Note(id: 100, title: "n"), in: [1])]
        case .updateNote: [.updateNote(Note(id: 11, title: "u"), in: [1])]
        case .removeNote: [.removeNote(11, in: [1])]
        case .appendNestedNote: [.appendNote(Note(id: 101, title: "n"), in: [1, 3])]
        case .appendTargetNote: [.appendNote(Note(id: 104, title: "n"), in: [2])]
        case .importPhoto: [.importPhotos(["i1"], into: [1])]
        case .importTwoPhotos: [.importPhotos(["i2", "i3"], into: [2])]
        case .importNestedPhoto: [.importPhotos(["i4"], into: [1, 3])]
        case .removePhoto: [.removePhotos(["p1"], from: [1])]
        case .replacePhoto: [.replacePhoto("p1", by: "f7", importing: "i7", at: 0, in: [1])]
        case .undoRemovedProject: [.removeBox(1, from: .projects), .undo(.boxes(.projects))]
        case .undoRemovedTarget: [.removeBox(2, from: .projects), .undo(.boxes(.projects))]
        case .undoRemovedPart: [.removeBox(3, from: .parts([1])), .undo(.boxes(.parts([1])))]
        case .undoNewProject:
            [.appendBox(Box(id: 8, folderName: "Un"), on: .projects), .undo(.boxes(.projects))]
        case .undoRename: [.renameBox(1, to: "Xy", on: .projects), .undo(.boxes(.projects))]
        case .undoRemovedPhoto: [.removePhotos(["p1"], from: [1]), .undo(.photos([1]))]
        case .undoReplacedPhoto:
            [.replacePhoto("p1", by: "f8", importing: "i8", at: 0, in: [1]), .undo(.photos([1]))]
        case .undoImport: [.importPhotos(["i10"], into: [2]), .undo(.photos([2]))]
        case .redoRemovedProject:
            [.removeBox(1, from: .projects), .undo(.boxes(.projects)), .redo(.boxes(.projects))]
        case .redoRemovedPhoto:
            [.removePhotos(["p1"], from: [1]), .undo(.photos([1])), .redo(.photos([1]))]
        case .staleNote: [.appendNote(Note(id: 102, title: "n"), in: [1])]
        case .stalePhoto: [.importPhotos(["i5"], into: [2])]
        case .staleNestedNote: [.appendNote(Note(id: 105, title: "n"), in: [1, 3])]
        case .heldPhoto: [.importPhotos(["i6"], into: [2])]
        case .bringBackProject:
            [.removeBox(1, from: .projects), .bringBack("1", in: .boxes(.projects))]
        case .bringBackPart:
            [.removeBox(3, from: .parts([1])), .bringBack("3", in: .boxes(.parts([1])))]
        case .bringBackPhoto:
            [.removePhotos(["p1"], from: [1]), .bringBack("p1", in: .photos([1]))]
        case .copy: [.copy]
        case .restore: [.restore]
        case .merge: [.merge]
        case .checkpoint: [.checkpoint]
        case .close: [.close]
        case .repair: [.repair]
        case .edit: [.byHand(.editNotes(folder: "Ab"))]
        case .editProjects: [.byHand(.editProjects)]
        case .copyStore: [.byHand(.copyStore)]
        case .moveStore: [.byHand(.moveStore)]
        case .moveProjects: [.byHand(.moveProjects)]
        case .renameFolder: [.byHand(.renameFolder("Ab"))]
        case .missFolder: [.byHand(.missFolder("Ab"))]
        case .open: [.open]
        }
    }

    /// The changes of the second process, whose photographs have other names than those that the
    /// first one imports, so that the model can tell them apart.
    var stepsOfSecond: [Step] {
        steps.map(\.ofSecond)
    }

    /// Frees `name` by `change`, then gives it to a new project with a note and a photograph.
    private func reuse(_ name: String, _ change: Step) -> [Step] {
        [
            change, .appendBox(Box(id: 9, folderName: name), on: .projects),
            .appendNote(Note(id: 190, title: "n"), in: [9]), .importPhotos(["i9"], into: [9]),
        ]
    }

    private static let swap = Step.write(
        [.renameBox(1, to: "Cd", on: .projects), .renameBox(2, to: "Ab", on: .projects)],
        on: .projects)

    private static let cycle = Step.write(
        [
            .renameBox(1, to: "Cd", on: .projects), .renameBox(2, to: "Un", on: .projects),
            .renameBox(8, to: "Ab", on: .projects),
        ], on: .projects)

    private static let replacement = Step.write(
        [.removeBox(1, from: .projects), .appendBox(Box(id: 7, folderName: "Ab"), on: .projects)],
        on: .projects)

    /// What the process does before the schedule begins.
    func prepare(_ session: Session) throws {
        switch self {
        case .staleNote, .stalePhoto: try session.projects.load()
        case .staleNestedNote: try session.boxes(on: .parts([1])).load()
        case .heldPhoto: try session.photos(in: [2]).load()
        case .heldTransfer:
            try session.photos(in: [1]).load()
            try session.photos(in: [2]).load()
        default: break
        }
    }

    /// How many changes the process can take back: none if it does not, because it lets go at once
    /// what it removes.
    var undoLimit: Int { rawValue.hasPrefix("undo") || rawValue.hasPrefix("redo") ? 3 : 0 }

    /// Whether what the process removes or replaces stays for a while.
    var keepsRemoved: Bool { bringsBack || self == .restore || self == .merge }

    /// Whether the process puts other containers in the places of those that are there.
    var replacesContainers: Bool { steps.contains { [.restore, .merge].contains($0) } }

    /// Whether another process may do `second` meanwhile: a restoring puts a container at the name of one that is missed,
    /// which then cannot come back.
    func canMeet(_ second: Operation) -> Bool { !replacesContainers || second != .missFolder }

    /// Whether folders are not at their places for a while.
    var misplacesFolders: Bool {
        [.moveStore, .moveProjects, .renameFolder, .missFolder].contains(self)
    }

    private var bringsBack: Bool { rawValue.hasPrefix("bringBack") }

    /// Whether the process takes back what it did.
    var takes: Bool { undoLimit > 0 || bringsBack }

    static let transfers: [Operation] = [
        .transferPhoto, .transferPhotoBack, .transferPhotoUp, .transferPhotoDown, .heldTransfer,
    ]

    /// Those that move folders of containers.
    static let movers: [Operation] = [
        .removeProject, .removeTarget, .removePart, .removeKnownProject, .removeKnownPart,
        .renameProject, .renameTarget,
        .removeAndReuseName, .swapNames, .cycleNames, .replaceProject, .undoReplacedProject,
        .archiveProject,
        .nestProject, .raisePart, .undoRemovedProject, .treeMoves, .treePart, .undoTreeMoves,
    ]

    /// What a person does with other programs.
    static let byHand: [Operation] = [
        .edit, .editProjects, .copyStore, .moveStore, .moveProjects, .renameFolder, .missFolder,
    ]

    /// The index that an editor replaces.
    var editedIndex: String? {
        if case .byHand(let change) = steps[0] { change.editedIndex } else { nil }
    }

    /// Those of a process that can be disturbed: other programs are not ours.
    static let firsts = allCases.filter { !byHand.contains($0) }
}
