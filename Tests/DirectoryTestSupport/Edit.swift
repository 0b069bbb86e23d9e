package import Directory
package import Foundation
package import StoreModel
package import TestSupport

/// A change of a collection of notes that can be applied to a collection, to a draft, and to an
/// array as their model.
package enum Edit: Sendable {
    case append(Note)
    case appendAll([Note])
    case insert(Note, at: Int)
    case update(Note)
    case retitle(id: Int, String)
    case remove(id: Int)
    case move([Int], to: Int)
    case updateOrAppend(Note)
    case removeAll(ids: [Int])
    case removeEqual(title: String)
    case sort
    case sortByID(SortOrder)

    package func apply(to notes: Directory<Note>) throws {
        switch self {
        case .append(let note): try notes.append(note)
        case .appendAll(let all): try notes.append(contentsOf: all)
        case .insert(let note, let index): try notes.insert(note, at: index)
        case .update(let note): try notes.update(note)
        case .retitle(let id, let title): try notes.update(id: id) { $0.title = title }
        case .remove(let id): try notes.remove(id: id)
        case .move(let offsets, let index):
            try notes.move(fromOffsets: IndexSet(offsets), toOffset: index)
        case .updateOrAppend(let note): try notes.updateOrAppend(note)
        case .removeAll(let ids): try notes.remove(ids: ids)
        case .removeEqual(let title): try notes.removeAll { $0.title == title }
        case .sort: try notes.sort()
        case .sortByID(let order):
            try notes.sort(using: KeyPathComparator(\.id, order: order))
        }
    }

    package func apply(to notes: Directory<Note>) async throws {
        switch self {
        case .append(let note): try await notes.append(note)
        case .appendAll(let all): try await notes.append(contentsOf: all)
        case .insert(let note, let index): try await notes.insert(note, at: index)
        case .update(let note): try await notes.update(note)
        case .retitle(let id, let title): try await notes.update(id: id) { $0.title = title }
        case .remove(let id): try await notes.remove(id: id)
        case .move(let offsets, let index):
            try await notes.move(fromOffsets: IndexSet(offsets), toOffset: index)
        case .updateOrAppend(let note): try await notes.updateOrAppend(note)
        case .removeAll(let ids): try await notes.remove(ids: ids)
        case .removeEqual(let title): try await notes.removeAll { $0.title == title }
        case .sort: try await notes.sort()
        case .sortByID(let order):
            try await notes.sort(using: KeyPathComparator(\.id, order: order))
        }
    }

    package func apply(to draft: inout Directory<Note>.Draft) throws {
        switch self {
        case .append(let note): try draft.append(note)
        case .appendAll(let all): try draft.append(contentsOf: all)
        case .insert(let note, let index): try draft.insert(note, at: index)
        case .update(let note): try draft.update(note)
        case .retitle(let id, let title): try draft.update(id: id) { $0.title = title }
        case .remove(let id): try draft.remove(id: id)
        case .move(let offsets, let index):
            try draft.move(fromOffsets: IndexSet(offsets), toOffset: index)
        case .updateOrAppend(let note): try draft.updateOrAppend(note)
        case .removeAll(let ids): try draft.remove(ids: ids)
        case .removeEqual(let title): draft.removeAll { $0.title == title }
        case .sort: draft.sort()
        case .sortByID(let order):
            draft.sort(using: KeyPathComparator(\.id, order: order))
        }
    }

    /// The notes after the change, or the code of its error.
    package func applied(to notes: [Note]) -> Result<[Note], Refusal> {
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
        case .updateOrAppend(let note):
            let isNew = !notes.contains { $0.id == note.id }
            try (isNew ? Edit.append(note) : .update(note)).apply(to: &notes)
        case .removeAll(let ids):
            for id in ids { _ = try position(of: id, in: notes) }
            notes.removeAll { ids.contains($0.id) }
        case .removeEqual(let title): notes.removeAll { $0.title == title }
        case .sort: notes.sort()
        case .sortByID(.forward): notes.sort { $0.id < $1.id }
        case .sortByID(.reverse): notes.sort { $0.id > $1.id }
        }
    }

    private func position(of id: Int, in notes: [Note]) throws(Refusal) -> Int {
        guard let position = notes.firstIndex(where: { $0.id == id }) else {
            throw Refusal(.itemNotFound)
        }
        return position
    }

    /// The error of an invalid change.
    package struct Refusal: Error, Equatable {
        package let code: DirectoryError.Code
        package init(_ code: DirectoryError.Code) { self.code = code }
    }
}

extension Edit {
    /// A random change of `notes`, which may be invalid.
    package static func random(of notes: [Note], by generator: inout SeededGenerator) -> Edit {
        let id = Int.random(in: 0..<30, using: &generator)
        let title = ["", "a\nb", "\"q\"", "☕️", "/"].randomElement(using: &generator) ?? ""
        let note = Note(id: id, title: title)
        let index = Int.random(in: -1...(notes.count + 1), using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0: return .append(note)
        case 1: return .appendAll([note, Note(id: id + 30, title: title)])
        case 2: return .insert(note, at: index)
        case 3: return .update(note)
        case 4: return .retitle(id: id, title)
        case 5: return .remove(id: id)
        case 6: return .updateOrAppend(note)
        case 7: return .removeAll(ids: ids(of: notes, by: &generator))
        case 8: return .removeEqual(title: title)
        case 9: return .sort
        case 10: return .sortByID(Bool.random(using: &generator) ? .forward : .reverse)
        default:
            let offsets = notes.indices.filter { _ in Bool.random(using: &generator) }
            return .move(offsets, to: index)
        }
    }

    /// Random ids of `notes`, some of them twice, and sometimes one that no note has.
    private static func ids(of notes: [Note], by generator: inout SeededGenerator) -> [Int] {
        let ids = notes.map(\.id).filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }
        let isInvalid = Int.random(in: 0..<4, using: &generator) == 0
        return (ids + ids.prefix(1) + (isInvalid ? [1_000] : [])).shuffled(using: &generator)
    }
}
