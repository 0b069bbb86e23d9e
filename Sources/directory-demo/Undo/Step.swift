import Directory
import Foundation

/// A change that a command made, with what is needed to take it back.
struct Step: Codable, Identifiable, Sendable {
    enum Action: Codable, Sendable {
        case made(Project)
        case renamed(from: Project, to: Project)
        case noted(Note, in: UUID)
        case removedNote(Note, at: Int, in: UUID)
        case imported([Photo], in: UUID)
        case moved(Photo, at: Int, from: UUID, to: UUID)
        case removedPhoto(Photo, at: Int, in: UUID)
        case removedProject(Project, at: Int)
    }

    var id = UUID()
    /// The command and its operands, for a person.
    let title: String
    let action: Action

    /// The id of what was removed from the store and is kept for this step.
    var keptID: UUID? {
        switch action {
        case .removedPhoto(let photo, _, _): photo.id
        case .removedProject(let project, _): project.id
        default: nil
        }
    }
}
