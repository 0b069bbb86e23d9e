import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import TestSupport

/// Files of photos that are lost in a store, and the shared folder of other devices.
extension Model {
    /// Removes the file of a random photo, of which the shared folder of the device has the bytes.
    mutating func loseFile(on device: TestDevice) throws {
        try device.projects.load()
        guard let shelf = try device.shelves.randomElement(using: &random) else { return }
        let photos = try device.photos(shelf)
        guard let photo = try photos.loaded().randomElement(using: &random) else { return }
        let store = try files(below: "/\(device.name)/store")
        guard
            let (path, bytes) = store.first(where: { $0.key.hasSuffix("/photos/\(photo.fileName)") }
            ),
            case let hash = SHA256.hash(bytes).description,
            try engine.files(of: device.name)["assets/\(hash.prefix(2))/\(hash)"] == bytes
        else { return }
        let parts = path.split(separator: "/").map(String.init)
        let folder = try disk.openFolder(at: "/" + parts.dropLast().joined(separator: "/"))
        try disk.removeFile(FileName(validating: parts[parts.count - 1]), in: folder)
        counts.breaks += 1
        lostPhotos.insert(photo.id)
        if Bool.random(using: &random) { try photos.repair() }
    }

    /// Gives a device the folder of others for one sync, if it has one of its own.
    func checkThatOthersAreRefused(by device: TestDevice) throws {
        guard newest[device.name] != nil else { return }
        let others = URL(filePath: "/others/shared", directoryHint: .isDirectory)
        if try disk.unlessMissing({ try disk.openFolder(at: others.path) }) == nil {
            let first = try TestDevice(
                "others", on: disk, environment: clock.environment(seed: seed))
            try first.projects.append(Project("of others"))
            try first.sync()
        }
        let before = try files(below: others.path)
        let replica = try Replica(
            root: device.projects, in: others, on: disk, children: [], options: .init(),
            environment: clock.environment(seed: seed))
        do {
            try replica.sync()
            throw failure("\(device.name) took the folder of others")
        } catch let error as ReplicaError where error.code == .otherNetwork {
            guard try files(below: others.path) == before else {
                throw failure("\(device.name) wrote into the folder of others")
            }
        }
    }
}
