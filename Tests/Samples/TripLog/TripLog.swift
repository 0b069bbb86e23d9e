import Directory
import Foundation

/// Keeps a log of trips: `sample-trip-log FOLDER PICTURE...`.
@main struct TripLog {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
        guard let folder = arguments.first else { return print("Give a folder and pictures.") }

        let trips = try Directory<Trip>(at: folder, index: "trips.json")
        let title = "Rome/Naples"
        let trip = Trip(title: title, folderName: try await trips.freeFolderName(for: title))
        try await trips.append(trip)

        let days = try await trips.child(.days, of: trip.id)
        for date in ["2026-05-03", "2026-05-01", "2026-05-02"] {
            try await days.insert(Day(id: date))  // after the days before it
        }
        try await days.update(id: "2026-05-02") { $0.weather = "rain" }

        let pictures = try await days.child(.pictures, of: "2026-05-02")
        try await importPictures(Array(arguments.dropFirst()), into: pictures)
        try await rate(pictures)

        let notes = try await days.child(.notes, of: "2026-05-02")
        try await notes.append(Note(text: "The museum was open until ten."))

        let last = Day(id: "2026-05-04", weather: "sun")
        try await add(last, "Home again.", Array(arguments.suffix(1)), to: days)

        show(trip, days, pictures, notes)
        try await notes.close()
        try await pictures.close()
        try await days.close()
        try await trips.close()
    }

    /// Copies the files: all of them are pictures of the day afterwards, or none.
    static func importPictures(_ files: [URL], into pictures: Directory<Picture>) async throws {
        let progress = Progress(totalUnitCount: 0)
        try await pictures.insert(copying: files, progress: progress) { staged in
            Picture(staged)
        }
        print("Imported \(pictures.count) pictures,", progress.completedUnitCount, "bytes.")
    }

    /// Gives captions and stars in one commit, and puts the best pictures first.
    static func rate(_ pictures: Directory<Picture>) async throws {
        try await pictures.write { draft in
            try draft.update(id: "moon") { picture in
                picture.caption = "The moon over the river"
                picture.rating = 5
            }
            try draft.update(id: "cat") { $0.rating = 3 }
            draft.sort(using: KeyPathComparator(\.rating, order: .reverse))
        }
    }

    /// Adds a day with its note and its pictures: all of it is there afterwards, or nothing.
    static func add(_ day: Day, _ text: String, _ files: [URL], to days: Directory<Day>)
        async throws
    {
        let stage = try await days.makeStage()
        try await stage.copy(files)
        try await days.write(importing: stage) { draft, assets in
            try draft.insert(day)
            try draft.write(.notes, of: day.id) { notes in try notes.append(Note(text: text)) }
            try draft.write(.pictures, of: day.id) { pictures in
                for asset in assets { try pictures.append(Picture(asset), file: asset) }
            }
        }
    }

    static func show(
        _ trip: Trip, _ days: Directory<Day>, _ pictures: Directory<Picture>,
        _ notes: Directory<Note>
    ) {
        print("\(trip.title), in \(trip.folderName)")
        for day in days.items { print(" ", day.id, day.weather ?? "") }
        for picture in pictures.items {
            print("   ", String(repeating: "*", count: picture.rating), picture.caption)
        }
        for note in notes.items { print("   ", note.text) }
    }
}
