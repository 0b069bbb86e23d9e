import Directory
import Foundation

extension Directory<Photo> {
    /// The photo with the id `key`, or the only photo whose file had the name `key`.
    func photo(_ key: String) throws -> Photo {
        if let id = UUID(uuidString: key), let photo = items[id: id] { return photo }
        let matches = items.filter { $0.name == key }
        guard let match = matches.first else { throw Failure("there is no photo \(key)") }
        guard matches.count == 1 else {
            let ids = matches.map(\.id.uuidString).joined(separator: ", ")
            throw Failure("\(matches.count) photos are called \(key), with ids \(ids)")
        }
        return match
    }

    /// The file of `photo`; nil if it is missing.
    func file(of photo: Photo) throws -> URL? {
        do {
            return try url(of: photo.id)
        } catch let error as DirectoryError where error.code == .assetMissing {
            return nil
        }
    }
}
