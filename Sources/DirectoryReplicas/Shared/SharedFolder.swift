import FileSystem
import Foundation

/// The folder that an engine carries between devices.
struct SharedFolder {
    let disk: any FileSystem
    let url: URL
    let root: Handle
    let replicas: Handle
    let assets: Handle

    private static let replicas: FileName = "replicas"
    private static let assets: FileName = "assets"

    /// Opens the folder at `url`.
    ///
    /// If this device has never used the folder, it makes the folder and writes the file that marks it.
    ///
    /// - Throws: ``ReplicaError`` with `folderMissing`, `notAReplica` or `newerFormat`.
    init(at url: URL, on disk: any FileSystem, wasUsed: Bool) throws {
        (self.disk, self.url) = (disk, url)
        let path = url.path(percentEncoded: false)
        let missing = ReplicaError(
            .folderMissing, url, "the shared folder is missing or empty; is its volume mounted?")
        if wasUsed {
            guard let found = try disk.unlessMissing({ try disk.openFolder(at: path) }) else {
                throw missing
            }
            root = found
        } else {
            root = try disk.openOrMakeFolder(at: path, mode: 0o755)
        }
        let marker = try FileName(validating: Format.marker)
        let found = try disk.readAll(marker, in: root)
        // An engine may have brought only a part of it. All devices write the same.
        let isWhole = found.map {
            $0.count >= Format.markerBytes.count || !Format.markerBytes.starts(with: $0)
        }
        if let found, isWhole == true {
            try Self.check(found, url)
        } else if wasUsed, found == nil {
            throw missing
        } else {
            try Self.write(
                Format.markerBytes, as: marker, in: root, temporary: (root, disk), on: disk)
        }
        replicas = try disk.openOrMakeFolder(Self.replicas, in: root, mode: 0o755)
        assets = try disk.openOrMakeFolder(Self.assets, in: root, mode: 0o755)
    }

    private static func check(_ bytes: [UInt8], _ url: URL) throws {
        if bytes == Format.markerBytes { return }
        let text = String(decoding: bytes.prefix(64), as: UTF8.self)
        guard text.hasPrefix("directory-replicas ") else {
            // An engine may not have brought all of it.
            throw ReplicaError(
                .notAReplica, url, "\(Format.marker) is not the file that a replica writes")
        }
        throw ReplicaError(
            .newerFormat, url, "a later version of the app uses the shared folder")
    }
}

extension SharedFolder {
    /// Removes temporary files that were last written to before `time`, in seconds since 1970: their processes have
    /// died.
    func removeTemporaryFiles(before time: Int) throws {
        for name in try disk.list(root)
        where RandomName.matches(name, prefix: ".", suffix: ".tmp") {
            guard let status = try disk.status(of: name, in: root), status.modified.seconds < time
            else { continue }
            _ = try disk.unlessMissing { try disk.removeFile(name, in: root) }
        }
    }

    /// Opens the folder of a device, which is made if it is missing.
    func folder(of device: DeviceID) throws -> Handle {
        try disk.openOrMakeFolder(
            FileName(validating: device.description), in: replicas, mode: 0o755)
    }

    /// Writes a file that appears with all its bytes, and is on stable storage then.
    ///
    /// It is written in `temporary` first, which is not in the shared folder; if that is on another volume, under a
    /// hidden name beside its own.
    static func write(
        _ bytes: [UInt8], as name: FileName, in folder: Handle,
        temporary: (folder: Handle, disk: any FileSystem), on disk: any FileSystem
    ) throws {
        func write(in place: Handle, _ placeDisk: any FileSystem) throws {
            let hidden = try FileName(validating: ".\(RandomName.digits()).tmp")
            let file = try placeDisk.openFile(hidden, in: place, for: .create(mode: 0o644))
            do {
                try placeDisk.write(bytes, to: file, at: 0)
                try placeDisk.sync(file)
                try disk.rename(hidden, in: place, to: name, in: folder, replacing: true)
            } catch {
                // Best effort: a hidden file does no harm.
                try? placeDisk.removeFile(hidden, in: place)
                throw error
            }
            try disk.sync(folder)
        }
        guard disk is LocalFileSystem, temporary.disk is LocalFileSystem else {
            return try write(in: folder, disk)
        }
        do {
            try write(in: temporary.folder, temporary.disk)
        } catch let error as FileSystemError where error.code == .crossDevice {
            try write(in: folder, disk)
        }
    }
}
