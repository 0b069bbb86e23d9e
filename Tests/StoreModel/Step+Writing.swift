import Directory

extension Directory<Box> {
    /// Makes changes of these boxes, which are on `shelf`, and of what is in them, in one commit.
    func write(_ steps: [Step], below shelf: Shelf) throws {
        let files = steps.flatMap(\.importedFiles)
        if files.isEmpty {
            return try write { draft in
                for step in steps { try draft.perform(step, below: shelf, [:]) }
            }
        }
        try write(importing: stage(files)) { draft, assets in
            let assets = Dictionary(uniqueKeysWithValues: zip(files, assets))
            for step in steps { try draft.perform(step, below: shelf, assets) }
        }
    }
}

extension Session {
    /// Keeps the collections open that `steps` have changed, so that their work in the background is known.
    func keepOpen(_ steps: [Step]) {
        for case .some(let place) in steps.map(\.place) { _ = try? collection(place) }
    }
}

extension Step {
    /// The files that the change imports.
    fileprivate var importedFiles: [String] {
        switch self {
        case .importPhotos(let names, _): names
        case .replacePhoto(_, let file, let imported, _, _): [file, imported]
        default: []
        }
    }

    /// The box whose collection changes; empty for the boxes that are in none.
    fileprivate var path: [Int] {
        get throws {
            switch self {
            case .appendNote(_, let path), .updateNote(_, let path), .removeNote(_, let path),
                .importPhotos(_, let path), .removePhotos(_, let path),
                .replacePhoto(_, _, _, _, let path), .expectNotes(_, let path),
                .expectPhotos(_, let path):
                path
            case .appendBox(_, let shelf), .renameBox(_, _, let shelf), .removeBox(_, let shelf):
                shelf.path
            default: throw Violation("\(self) cannot be a part of a write")
            }
        }
    }

    fileprivate var changesBoxes: Bool {
        switch self {
        case .appendBox, .renameBox, .removeBox: true
        default: false
        }
    }
}

extension Shelf {
    fileprivate var path: [Int] {
        if case .parts(let path) = self { path } else { [] }
    }
}

extension Directory.Draft where Item == Box {
    fileprivate mutating func perform(
        _ step: Step, below shelf: Shelf, _ assets: [String: StagedAsset]
    ) throws {
        try perform(step, in: step.path.dropFirst(shelf.path.count), assets)
    }

    /// Makes a change at `path`, which begins at one of these boxes.
    private mutating func perform(
        _ step: Step, in path: ArraySlice<Int>, _ assets: [String: StagedAsset]
    ) throws {
        guard let id = path.first else { return try perform(step) }
        if step.changesBoxes || path.count > 1 {
            return try write(.parts, of: id) { parts in
                try parts.perform(step, in: path.dropFirst(), assets)
            }
        }
        switch step {
        case .appendNote, .updateNote, .removeNote, .expectNotes:
            try write(.notes, of: id) { try $0.perform(step) }
        default: try write(.photos, of: id) { try $0.perform(step, assets) }
        }
    }

    private mutating func perform(_ step: Step) throws {
        switch step {
        case .appendBox(let box, _): try append(box)
        case .renameBox(let id, let name, _): try update(Box(id: id, folderName: name))
        case .removeBox(let id, _): try remove(id: id)
        default: break
        }
    }
}

extension Directory.Draft where Item == Note {
    fileprivate mutating func perform(_ step: Step) throws {
        switch step {
        case .appendNote(let note, _): try append(note)
        case .updateNote(let note, _): try update(note)
        case .removeNote(let id, _): try remove(id: id)
        case .expectNotes(let ids, _):
            guard items.map(\.id) == ids else { throw Refusal(.itemNotFound) }
        default: break
        }
    }
}

extension Directory.Draft where Item == Photo {
    fileprivate mutating func perform(_ step: Step, _ assets: [String: StagedAsset]) throws {
        func asset(_ file: String) throws -> StagedAsset {
            guard let asset = assets[file] else { throw Violation("\(file) is not staged") }
            return asset
        }
        switch step {
        case .importPhotos(let names, _):
            for name in names { try append(Photo(asset(name)), file: asset(name)) }
        case .removePhotos(let names, _): try remove(ids: names.map(id))
        case .expectPhotos(let names, _):
            guard items.map(\.name) == names else { throw Refusal(.itemNotFound) }
        case .replacePhoto(let name, let file, let imported, let position, _):
            let file = try asset(file)
            try update(id: id(of: name), file: file) { $0.replaceFile(by: file) }
            try insert(Photo(asset(imported)), at: position, file: asset(imported))
        default: break
        }
    }

    private func id(of name: String) throws -> Photo.ID {
        guard let photo = items.first(where: { $0.name == name }) else {
            throw Refusal(.itemNotFound)
        }
        return photo.id
    }
}
