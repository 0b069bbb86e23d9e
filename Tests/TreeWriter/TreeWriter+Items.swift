import Directory
import Foundation
import StoreModel

extension TreeWriter {
    func appendNote(in place: Place) throws {
        try place.notes.load()
        guard place.notes.count < 12 else { return try removeNote(in: place) }
        let note = Note(id: makeID(), title: "0")
        try log.record("add \(place.name) n\(note.id)") { try place.notes.append(note) }
    }

    /// Adds 1 to the number that is the title of a note, whichever process made it.
    func updateNote(in place: Place) throws {
        try place.notes.load()
        guard let note = place.notes.items.randomElement(using: &random) else { return }
        try log.record("update \(place.name) n\(note.id)") {
            try place.notes.update(id: note.id) { note in
                note.title = "\((Int(note.title) ?? -1_000_000) + 1)"
            }
        }
    }

    func removeNote(in place: Place) throws {
        try place.notes.load()
        guard let note = place.notes.items.randomElement(using: &random) else { return }
        try log.record("remove \(place.name) n\(note.id)") { try place.notes.remove(id: note.id) }
    }
}

extension TreeWriter {
    func importPhotos(into place: Place) throws {
        try place.photos.load()
        guard place.photos.count < 12 else { return try removePhoto(from: place) }
        let ids = (0..<Int.random(in: 1...3, using: &random)).map { _ in makePhotoID() }
        let stage = try place.photos.makeStage()
        do {
            for id in ids { try stage.write(StressTree.bytes(of: id), name: id.uuidString) }
            _ = try log.record("add \(place.name) \(words(ids))") {
                try place.photos.insert(stage) { staged in
                    guard let id = UUID(uuidString: staged.name) else { throw Fault(staged.name) }
                    return Photo(
                        id: id, date: staged.date, name: staged.name,
                        fileName: StressTree.fileName(of: id), byteCount: staged.byteCount)
                }
            }
        } catch {
            try stage.discard()
            throw error
        }
    }

    func removePhoto(from place: Place) throws {
        try place.photos.load()
        guard let photo = place.photos.items.randomElement(using: &random) else { return }
        try log.record("remove \(place.name) \(words([photo.id]))") {
            try place.photos.remove(id: photo.id)
        }
    }

    func transferPhotos(from place: Place, to target: Place) throws {
        guard place.id != target.id, target.photos.count < 15 else { return }
        try place.photos.load()
        let ids = place.photos.items.map(\.id).shuffled(using: &random)
            .prefix(.random(in: 1...3, using: &random))
        guard !ids.isEmpty else { return }
        try log.record("move \(place.name) \(target.name) \(words(Array(ids)))") {
            try place.photos.transfer(Array(ids), to: target.photos)
        }
    }

    /// Reads a file without a lock; for a moment of a transfer, it is in another folder.
    func readPhoto(in place: Place) throws {
        try place.photos.load()
        guard let id = place.photos.items.randomElement(using: &random)?.id else { return }
        let deadline = ContinuousClock.now + .seconds(20)
        while place.photos[id: id] != nil {
            do {
                guard try place.photos.data(of: id) == StressTree.bytes(of: id) else {
                    throw Fault("photo \(id) in \(place.name) has wrong bytes")
                }
                return
            } catch let error as DirectoryError where error.code == .assetMissing {
                guard ContinuousClock.now < deadline else { throw error }
                Thread.sleep(forTimeInterval: 0.01)
            }
            try place.photos.load()
        }
    }

    private func words(_ photos: [UUID]) -> String {
        photos.map { "p\($0.uuidString)" }.joined(separator: " ")
    }
}
