import Directory
import Foundation
import StoreModel
import TestSupport

/// A change of a collection of notes that can be applied to a collection, to a draft, and to an
/// array as their model.
enum Edit: Sendable {
    case append(Note)
    case appendAll([Note])
    case insert(Note, at: Int)
    case update(Note)
    case retitle(id: Int, String)
    case remove(id: Int)
    case move([Int], to: Int)

    func apply(to notes: Directory<Note>) throws {
        switch self {
        case .append(let note): try notes.append(note)
        case .appendAll(let all): try notes.append(contentsOf: all)
        case .insert(let note, let index): try notes.insert(note, at: index)
        case .update(let note): try notes.update(note)
        case .retitle(let id, let title): try notes.update(id: id) { $0.title = title }
        case .remove(let id): try notes.remove(id: id)
        case .move(let offsets, let index):
            try notes.move(fromOffsets: IndexSet(offsets), toOffset: index)
        }
    }

    func apply(to notes: Directory<Note>) async throws {
        switch self {
        case .append(let note): try await notes.append(note)
        case .appendAll(let all): try await notes.append(contentsOf: all)
        case .insert(let note, let index): try await notes.insert(note, at: index)
        case .update(let note): try await notes.update(note)
        case .retitle(let id, let title): try await notes.update(id: id) { $0.title = title }
        case .remove(let id): try await notes.remove(id: id)
        case .move(let offsets, let index):
            try await notes.move(fromOffsets: IndexSet(offsets), toOffset: index)
        }
    }

    func apply(to draft: inout Directory<Note>.Draft) throws {
        switch self {
        case .append(let note): try draft.append(note)
        case .appendAll(let all): try draft.append(contentsOf: all)
        case .insert(let note, let index): try draft.insert(note, at: index)
        case .update(let note): try draft.update(note)
        case .retitle(let id, let title): try draft.update(id: id) { $0.title = title }
        case .remove(let id): try draft.remove(id: id)
        case .move(let offsets, let index):
            try draft.move(fromOffsets: IndexSet(offsets), toOffset: index)
        }
    }

    /// The notes after the change, or the code of its error.
    func applied(to notes: [Note]) -> Result<[Note], Refusal> {
        var notes = notes
        do throws(Refusal) {
            try apply(to: &notes)
            return .success(notes)
        } catch {
            return .failure(error)
        }
    }

    private func apply(to notes: inout [Note]) throws(Refusal) {
        switch self {
        case .append(let note): try Edit.appendAll([note]).apply(to: &notes)
        case .appendAll(let all):
            let ids = (notes + all).map(\.id)
            guard Set(ids).count == ids.count else { throw Refusal(.duplicateID) }
            notes += all
        case .insert(let note, let index):
            guard (0...notes.count).contains(index) else { throw Refusal(.indexOutOfRange) }
            try Edit.append(note).apply(to: &notes)
            notes.insert(notes.removeLast(), at: index)
        case .update(let note): notes[try position(of: note.id, in: notes)] = note
        case .retitle(let id, let title):
            try Edit.update(Note(id: id, title: title)).apply(to: &notes)
        case .remove(let id): notes.remove(at: try position(of: id, in: notes))
        case .move(let offsets, let index):
            guard (0...notes.count).contains(index), offsets.allSatisfy(notes.indices.contains)
            else { throw Refusal(.indexOutOfRange) }
            let moved = notes.indices.filter(offsets.contains).map { notes[$0] }
            let rest = notes.enumerated().filter { !offsets.contains($0.offset) }
            notes =
                rest.filter { $0.offset < index }.map(\.element) + moved
                + rest.filter { $0.offset >= index }.map(\.element)
        }
    }

    private func position(of id: Int, in notes: [Note]) throws(Refusal) -> Int {
        guard let position = notes.firstIndex(where: { $0.id == id }) else {
            throw Refusal(.itemNotFound)
        }
        return position
    }

    /// The error of an invalid change.
    struct Refusal: Error, Equatable {
        let code: DirectoryError.Code
        init(_ code: DirectoryError.Code) { self.code = code }
    }
}

extension Edit {
    /// A random change of `notes`, which may be invalid.
    static func random(of notes: [Note], by generator: inout SeededGenerator) -> Edit {
        let id = Int.random(in: 0..<30, using: &generator)
        let title = ["", "a\nb", "\"q\"", "☕️", "/"].randomElement(using: &generator) ?? ""
        let note = Note(id: id, title: title)
        let index = Int.random(in: -1...(notes.count + 1), using: &generator)
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: return .append(note)
        case 1: return .appendAll([note, Note(id: id + 30, title: title)])
        case 2: return .insert(note, at: index)
        case 3: return .update(note)
        case 4: return .retitle(id: id, title)
        case 5: return .remove(id: id)
        default:
            let offsets = notes.indices.filter { _ in Bool.random(using: &generator) }
            return .move(offsets, to: index)
        }
    }
}
