import Directory
import Foundation
import Observation

struct Trip: Container {
    var id = UUID()
    var title: String
    var folderName: String
}

extension Child where Item == Photo {
    static let pictures = Child("pictures")
}

/// What the views of an app show and call.
@MainActor @Observable final class TripsModel {
    let trips: Directory<Trip>
    /// What the last call has to tell the user; nil if it worked.
    private(set) var message: String?

    init(at folder: URL) throws {
        trips = try Directory(at: folder, index: "trips.json")
        try trips.load()
    }

    /// Adds a trip with copies of the pictures at `files`, which are all there or none.
    func add(_ title: String, pictures files: [URL] = []) {
        do {
            let trip = Trip(title: title, folderName: try trips.freeFolderName(for: title))
            try trips.append(trip)
            try addPictures(files, to: trip)
            message = nil
        } catch let error as DirectoryError where error.code == .noSpace {
            message = "Free some space, then add “\(title)” again."
        } catch {
            message = error.localizedDescription
        }
    }

    /// Adds all pictures, or none and no trip.
    private func addPictures(_ files: [URL], to trip: Trip) throws {
        do {
            let pictures = try trips.child(.pictures, of: trip.id)
            let stage = try pictures.makeStage()
            for file in files { try stage.copy(file) }
            try pictures.insert(stage)
        } catch {
            try trips.remove(id: trip.id)
            throw error
        }
    }
}
