import Directory
import Foundation

/// A trip owns a folder, which holds its days.
struct Trip: Container {
    var id = UUID()
    var title: String
    /// Chosen when the trip is made, so that two trips can have the same title.
    var folderName: String
}

/// A day owns a folder in that of its trip.
///
/// Its id is its date, so days sort by their ids.
struct Day: Container, Comparable {
    var id: String
    var weather: String?

    static func < (day: Day, other: Day) -> Bool { day.id < other.id }
}

struct Note: Codable, Identifiable, Sendable {
    var id = UUID()
    var text: String
}

/// A picture owns one file, and has properties that the library's own `Photo` does not have.
struct Picture: Asset {
    let id: String
    let fileName: String
    var caption: String
    var rating = 0

    init(_ staged: StagedAsset) {
        caption = staged.name
        id = String(caption.prefix { $0 != "." })
        fileName = staged.fileName(for: id)
    }
}

extension Child where Item == Day { static let days = Child("days") }
extension Child where Item == Note { static let notes = Child("notes") }
extension Child where Item == Picture { static let pictures = Child("pictures") }
