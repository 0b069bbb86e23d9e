import Directory
import Foundation

/// The operations on a store that scenarios interrupt.
package enum StoreOperation: String, CaseIterable, Sendable {
    case insertNote, updateNote, moveNote, removeNote
    case insertBox, updateBox, moveBox, renameBox, renameBoxInCaseOnly, removeBox, severalChanges
    case importTwoPhotos, importThreePhotos, removePhoto, replaceAndImport
    case transferBox, transferPhoto
    case checkpoint
    /// Takes back the operation just before, and makes it again.
    case undo, redo

    /// What the operation makes of `contents`; nil if they lack what it works on.
    package func applied(to contents: StoreContents) -> StoreContents? {
        guard isPossible(on: contents) else { return nil }
        if self == .undo || self == .redo { return takingBack(contents) }
        let before = contents
        var contents = contents
        switch self {
        case .insertNote: contents.insertNote()
        case .updateNote: contents.updateNote()
        case .moveNote: contents.notes.append(contents.notes.removeFirst())
        case .removeNote: contents.notes.removeFirst()
        case .insertBox: contents.insertBox("I")
        case .updateBox, .checkpoint: break
        case .moveBox: contents.boxes.append(contents.boxes.removeFirst())
        case .renameBox: contents.boxes[0].box.folderName += "r"
        case .renameBoxInCaseOnly: contents.renameBoxInCaseOnly()
        case .removeBox: contents.boxes.removeFirst()
        case .severalChanges:
            contents.boxes.removeFirst()
            contents.boxes[0].box.folderName += "s"
            contents.insertBox("S")
        case .importTwoPhotos: contents.importPhotos(2)
        case .importThreePhotos: contents.importPhotos(3)
        case .removePhoto: contents.boxes[contents.firstBoxWithPhotos ?? 0].photos.removeFirst()
        case .replaceAndImport: contents.replaceAndImport()
        case .transferBox: contents.archive.append(contents.boxes.removeFirst())
        case .transferPhoto: contents.transferPhoto()
        case .undo, .redo: break
        }
        contents.taken =
            Self.undoable.contains(self) ? [Taken(operation: self, before: before)] : []
        return contents
    }

    private func isPossible(on contents: StoreContents) -> Bool {
        switch self {
        case .undo: contents.taken.first?.isUndone == false
        case .redo: contents.taken.first?.isUndone == true
        case .insertNote, .insertBox, .checkpoint: true
        case .updateNote, .removeNote: !contents.notes.isEmpty
        case .moveNote: contents.notes.count > 1
        case .updateBox, .renameBox, .renameBoxInCaseOnly, .removeBox, .importTwoPhotos,
            .importThreePhotos, .transferBox:
            !contents.boxes.isEmpty
        case .moveBox, .severalChanges: contents.boxes.count > 1
        case .removePhoto, .replaceAndImport: contents.firstBoxWithPhotos != nil
        case .transferPhoto: contents.firstBoxWithPhotos != nil && contents.boxes.count > 1
        }
    }
}

extension StoreContents {
    fileprivate var firstBoxWithPhotos: Int? { boxes.firstIndex { !$0.photos.isEmpty } }

    /// The box that ``StoreOperation/transferPhoto`` moves a photograph to.
    fileprivate var boxForTransfer: Int { ((firstBoxWithPhotos ?? 0) + 1) % boxes.count }

    fileprivate mutating func insertNote() {
        lastNumber += 1
        notes.append(Note(id: lastNumber, title: "n"))
    }

    fileprivate mutating func updateNote() {
        // The title is longer than a sector of a disk, so that the record can be torn.
        let letter = notes[0].title.first == "u" ? "v" : "u"
        notes[0].title = String(repeating: letter, count: 700)
    }

    fileprivate mutating func insertBox(_ prefix: String) {
        lastNumber += 1
        boxes.append(.init(box: Box(id: lastNumber, folderName: "\(prefix)\(lastNumber)")))
    }

    fileprivate mutating func renameBoxInCaseOnly() {
        let name = boxes[0].box.folderName
        boxes[0].box.folderName =
            name == name.uppercased() ? name.lowercased() : name.uppercased()
    }

    /// Imports up to three files; the second has several pages.
    fileprivate mutating func importPhotos(_ count: Int) {
        lastNumber += 1
        let photos: [StoredPhoto] = [
            .init(naming: "p\(lastNumber)"),
            .init(
                name: "q\(lastNumber)",
                bytes: Data(repeating: UInt8(truncatingIfNeeded: lastNumber), count: 4200)),
            .init(naming: "r\(lastNumber)"),
        ]
        boxes[0].photos += photos.prefix(count)
    }

    /// Gives another file to a photograph, and imports one more.
    fileprivate mutating func replaceAndImport() {
        let box = firstBoxWithPhotos ?? 0
        lastNumber += 1
        boxes[box].photos[0].bytes = Data("f\(lastNumber)".utf8)
        boxes[box].photos.append(.init(naming: "i\(lastNumber)"))
    }

    fileprivate mutating func transferPhoto() {
        let target = boxForTransfer
        let photo = boxes[firstBoxWithPhotos ?? 0].photos.removeFirst()
        boxes[target].photos.append(photo)
    }
}

extension StoreOperation {
    /// Performs the operation in a store that holds `contents`.
    package func perform(in store: Store, holding contents: StoreContents) throws {
        guard let next = applied(to: contents) else { return }
        switch self {
        case .insertNote: try store.notes.append(next.notes[next.notes.count - 1])
        case .updateNote: try store.notes.update(next.notes[0])
        case .moveNote: try store.notes.move(fromOffsets: [0], toOffset: contents.notes.count)
        case .removeNote: try store.notes.remove(id: contents.notes[0].id)
        case .insertBox: try store.boxes.append(next.boxes[next.boxes.count - 1].box)
        case .updateBox, .renameBox, .renameBoxInCaseOnly:
            try store.boxes.update(next.boxes[0].box)
        case .moveBox: try store.boxes.move(fromOffsets: [0], toOffset: contents.boxes.count)
        case .removeBox: try store.boxes.remove(id: contents.boxes[0].box.id)
        case .severalChanges:
            try store.boxes.write { draft in
                try draft.remove(id: contents.boxes[0].box.id)
                try draft.update(next.boxes[0].box)
                try draft.append(next.boxes[next.boxes.count - 1].box)
            }
        case .importTwoPhotos, .importThreePhotos:
            let album = try store.album(of: contents.boxes[0].box)
            let stage = try album.makeStage()
            for photo in next.boxes[0].photos.dropFirst(contents.boxes[0].photos.count) {
                try stage.write(photo.bytes, name: photo.name)
            }
            try album.insert(stage)
        case .replaceAndImport:
            let box = contents.firstBoxWithPhotos ?? 0
            try store.album(of: contents.boxes[box].box).replaceAndImport(next.boxes[box].photos)
        case .removePhoto, .transferPhoto:
            let album = try store.album(of: contents.boxes[contents.firstBoxWithPhotos ?? 0].box)
            try album.load()
            let id = album.items[0].id
            guard self == .transferPhoto else { return try album.remove(id: id) }
            let target = contents.boxes[contents.boxForTransfer].box
            try album.transfer([id], to: store.album(of: target))
        case .transferBox:
            try store.boxes.transfer([contents.boxes[0].box.id], to: store.archive)
        case .checkpoint: try store.checkpoint()
        case .undo, .redo: try takeBack(in: store, contents)
        }
    }
}

extension Directory where Item == Photo {
    /// Gives the first photograph the bytes of the first one of `photos`, and imports the last one.
    fileprivate func replaceAndImport(_ photos: [StoreContents.StoredPhoto]) throws {
        try load()
        let id = items[0].id
        let stage = try makeStage()
        for photo in [photos[0], photos[photos.count - 1]] {
            try stage.write(photo.bytes, name: photo.name)
        }
        try write(importing: stage) { draft, assets in
            try draft.update(id: id, file: assets[0]) { $0.replaceFile(by: assets[0]) }
            try draft.append(Photo(assets[1]), file: assets[1])
        }
    }
}
