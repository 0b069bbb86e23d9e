import Directory
import Foundation
import Observation

/// Something to do.
struct Errand: Codable, Identifiable, Equatable, Sendable {
    var id = UUID()
    var title: String
    var place: String
    var isDone = false
}

/// What a view of errands shows, and what its buttons do.
@MainActor @Observable
final class ErrandsModel {
    let errands: Directory<Errand>
    /// The rows: a section for each place, sorted by title in it.
    private(set) var rows: SectionedResults<Errand, String>
    /// What the user looks for.
    var search = "" {
        didSet { rows = Self.rows(of: errands, with: search) }
    }
    /// The row that the user has selected.
    var selection: Errand.ID? {
        didSet { form = selection.flatMap { errands.edit($0) } }
    }
    /// The form with the selected errand.
    private(set) var form: Directory<Errand>.ItemDraft?

    init(in folder: URL) throws {
        errands = try Directory(
            at: folder, index: "errands.json", options: DirectoryOptions(undoLimit: 100))
        rows = Self.rows(of: errands, with: "")
    }

    /// For the view's `.task`: loads, and follows other programs until the view goes.
    func follow() async { await errands.watch() }

    private static func rows(
        of errands: Directory<Errand>, with words: String
    ) -> SectionedResults<Errand, String> {
        errands.results(
            where: { words.isEmpty || $0.title.localizedCaseInsensitiveContains(words) },
            sortedBy: KeyPathComparator(\.title), sectionedBy: \.place)
    }
}

/// The buttons, which do not block the main thread, and the gestures.
extension ErrandsModel {
    func add(_ title: String, at place: String) async throws {
        let errand = Errand(title: title, place: place)
        try await errands.append(errand)
        selection = errand.id
    }

    func toggle(_ id: Errand.ID) async throws {
        try await errands.update(id: id) { $0.isDone.toggle() }
    }

    func removeSelection() async throws {
        guard let selection else { return }
        try await errands.remove(id: selection)
        self.selection = nil
    }

    /// Removes rows of a section, for `onDelete`; waits for the disk, so that the rows do not jump back.
    func remove(
        at offsets: IndexSet, in section: SectionedResults<Errand, String>.Section
    ) throws {
        try rows.delete(at: offsets, in: section)
    }

    /// Saves the form; if another program changed the errand meanwhile, throws `itemChanged`, and
    /// ``ErrandsModel/form`` has the conflict to show.
    func saveForm() async throws { try await form?.save() }

    func undo() async throws { _ = try await errands.undo() }
    func redo() async throws { _ = try await errands.redo() }
}
