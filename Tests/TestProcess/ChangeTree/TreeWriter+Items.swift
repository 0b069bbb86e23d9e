import Directory
import Foundation
import StoreModel

extension TreeWriter {
    private func note(in box: OpenBox) throws -> Note? {
        try box.notes.load()
        return try box.notes.items.randomElement(using: &random)
    }

    func appendNote(in box: OpenBox) throws {
        try box.notes.load()
        guard try box.notes.count < 12 else { return try removeNote(in: box) }
        try make(.appendNote(Note(id: makeID(), title: "0"), in: box.path), in: box.session)
    }

    /// Adds 1 to the number that is the title of a note, whichever process made it and wrote to it
    /// last: no update of a process may be lost.
    func updateNote(in box: OpenBox) throws {
        guard let note = try note(in: box) else { return }
        try log.record(Step.updateNote(note, in: box.path).events) {
            try box.notes.update(id: note.id) { note in
                note.title = "\((Int(note.title) ?? -1_000_000) + 1)"
            }
        }
    }

    func removeNote(in box: OpenBox) throws {
        guard let note = try note(in: box) else { return }
        try make(.removeNote(note.id, in: box.path), in: box.session)
    }
}

extension TreeWriter {
    private func photo(in box: OpenBox) throws -> Photo? {
        try box.photos.load()
        return try box.photos.items.randomElement(using: &random)
    }

    func importPhotos(into box: OpenBox) throws {
        try box.photos.load()
        guard try box.photos.count < 12 else { return try removePhoto(from: box) }
        let names = (0..<Int.random(in: 1...3, using: &random)).map { _ in
            "\(Bool.random(using: &random) ? "p" : "q")\(makeID())"
        }
        try make(.importPhotos(names, into: box.path), in: box.session)
    }

    func removePhoto(from box: OpenBox) throws {
        guard let photo = try photo(in: box) else { return }
        try make(.removePhotos([photo.name], from: box.path), in: box.session)
    }

    func transferPhotos(from box: OpenBox, to target: OpenBox) throws {
        // Either of the two may have been open for long.
        let session = Bool.random(using: &random) ? box.session : target.session
        guard box.path.last != target.path.last,
            try session.photos(in: target.path).count < 15
        else { return }
        let photos = try session.photos(in: box.path)
        try photos.load()
        let names = photos.items.map(\.name).shuffled(using: &random)
            .prefix(.random(in: 1...3, using: &random))
        guard !names.isEmpty else { return }
        try make(
            .transferPhotos(Array(names), from: box.path, to: target.path), in: session)
    }

    /// Reads a file without a lock; for a moment of a transfer, it is in another folder.
    func readPhoto(in box: OpenBox) throws {
        guard let photo = try photo(in: box) else { return }
        let photos = try box.photos
        let deadline = ContinuousClock.now + .seconds(20)
        while photos[id: photo.id] != nil {
            do {
                guard Photograph.file(of: try photos.data(of: photo.id)) == photo.name else {
                    throw Violation("\(photo.name) in \(box.path.name) has wrong bytes")
                }
                return
            } catch let error as DirectoryError where error.code == .assetMissing {
                guard ContinuousClock.now < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.01)
            }
            try photos.load()
        }
    }
}

/// Changes of one collection only, which no step makes.
extension TreeWriter {
    private func collection(of box: OpenBox) throws -> any AnyCollection {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: try box.notes
        case 1: try box.photos
        default: try box.parts.boxes
        }
    }

    func checkpoint(_ box: OpenBox) throws {
        let collection = try collection(of: box)
        try log.record(["checkpoint \(box.path.name)"]) { try collection.checkpoint() }
    }

    func verify(_ box: OpenBox) throws {
        let collection = try collection(of: box)
        let findings = try log.record(["verify \(box.path.name)"]) { try collection.verify() }
        // Another process may have been killed since the collection was loaded.
        if let finding = findings.first(where: { $0.kind != .leftoverStage }) {
            throw Violation("verify found in \(box.path.name): \(finding)")
        }
    }

    func repair(_ box: OpenBox) throws {
        let collection = try collection(of: box)
        let repairs = try log.record(["repair \(box.path.name)"]) { try collection.repair() }
        guard repairs.isEmpty else {
            throw Violation("repair in \(box.path.name) did: \(repairs)")
        }
    }
}
