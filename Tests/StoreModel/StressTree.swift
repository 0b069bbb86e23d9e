package import Directory
package import Foundation

/// The tree that many processes change: projects, their parts, and in each of both notes and
/// photographs.
package enum StressTree {
    package static let index = "projects.json"
    package static let notes = Child<Note>("notes")
    package static let photos = Child<Photo>.photos
    package static let parts = Child<Box>("parts")

    /// The bytes of the photograph with `id`, which no other file has.
    package static func bytes(of id: UUID) -> Data {
        let line = Data("photograph \(id)\n".utf8)
        return Data((0...Int(id.uuid.15)).map { _ in line }.joined())
    }

    package static func fileName(of id: UUID) -> String { "\(id).jpg" }
}
