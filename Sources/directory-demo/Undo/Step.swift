import Directory
import Foundation

/// A change that a command made, with the data to undo it.
struct Step: Codable, Identifiable, Sendable {
    enum Action: Codable, Sendable {
        case made(Project)
        case renamed(from: Project, to: Project)
        case noted(Note, in: UUID)
        case imported([Photo], in: UUID)
        case moved(Photo, at: Int, from: UUID, to: UUID)
        /// The id of a removed item, which the library keeps for a while.
        case removedNote(UUID, in: UUID)
        case removedPhoto(UUID, in: UUID)
        case removedProject(UUID)
    }

    var id = UUID()
    /// The command and its operands, for a person.
    let title: String
    let action: Action
}
