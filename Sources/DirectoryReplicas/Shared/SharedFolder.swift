import FileSystem
import Foundation

/// The folder that an engine carries between devices.
struct SharedFolder {
    let disk: any FileSystem
    let url: URL
    let networks: Set<NetworkID>
    let root: Handle
    let replicas: Handle
    let assets: Handle
    /// What stood in the place of one of the library's own folders or files, and has another name now.
    private(set) var setAside: [SkippedSegment]

    private static let replicas: FileName = "replicas"
    private static let assets: FileName = "assets"
    private static let networks: FileName = "networks"
    /// What the library makes in the folder.
    private static let own: [(FileName, FileStatus.Kind)] = [
        (Marker.name, .file), (replicas, .folder), (assets, .folder), (networks, .folder),
    ]

    /// Opens the folder at `url`.
    ///
    /// A device that has neither sent nor received anything yet makes the folder, and writes its marker, if these are
    /// missing. Nothing is written into the folder of another network.
    ///
    /// - Parameters:
    ///   - url: The folder.
    ///   - disk: The file system that has it.
    ///   - known: The local state of this device.
    ///   - newNetwork: The id that the network gets if the folder has none.
    /// - Throws: ``ReplicaError`` with `folderMissing`, `otherNetwork`, `notAReplica` or `newerFormat`.
    init(at url: URL, on disk: any FileSystem, for known: LocalState, newNetwork: NetworkID) throws
    {
        (self.disk, self.url) = (disk, url)
        let path = url.path(percentEncoded: false)
        let isUsed = known.number > 0 || known.state.seen != .init()
        let opened =
            isUsed
            ? try disk.unlessMissing { try disk.openFolder(at: path) }
            : try disk.openOrMakeFolder(at: path, mode: 0o755)
        guard let root = opened else { throw Self.missing(url) }
        self.root = root
        let marker = try Marker.find(in: root, on: disk)
        if marker == .newer { throw Self.newer(url) }
        let isMarked = marker == .marker
        let found = try Self.networks(in: root, beside: known.networks, on: disk)
        let isOurs = !found.isDisjoint(with: known.networks)
        if isUsed, !isOurs {
            guard found.isEmpty else { throw Self.otherNetwork(url) }
            // Somebody has removed the ids; or a volume is not mounted here.
            guard try Self.hasFiles(of: known, in: root, on: disk) else { throw Self.missing(url) }
        } else if !isUsed, marker == .foreign || marker == .noFile {
            throw Self.noReplica(url)
        }
        networks = found.union(isUsed ? known.networks : found.isEmpty ? [newNetwork] : [])
        setAside = []
        for (name, kind) in Self.own {
            guard let there = try disk.status(of: name, in: root)?.kind else { continue }
            if there != kind || name == Marker.name && marker == .foreign {
                setAside.append(try Self.setAside(name, in: root, on: disk))
            }
        }
        func write(_ name: FileName, in folder: Handle) throws {
            try Self.write(Marker.bytes, as: name, in: folder, temporary: root, on: disk)
        }
        if !isMarked { try write(Marker.name, in: root) }
        let ids = try disk.openOrMakeFolder(Self.networks, in: root, mode: 0o755)
        for id in networks.subtracting(found) {
            try write(FileName(validating: id.description), in: ids)
        }
        replicas = try disk.openOrMakeFolder(Self.replicas, in: root, mode: 0o755)
        assets = try disk.openOrMakeFolder(Self.assets, in: root, mode: 0o755)
    }

    /// The ids of the network of the folder, of which anybody can have made very many.
    private static func networks(
        in root: Handle, beside known: Set<NetworkID>, on disk: any FileSystem
    ) throws -> Set<NetworkID> {
        guard let folder = try disk.openFolderIfOne(networks, in: root) else { return [] }
        let ids = Set(try disk.list(folder).compactMap { NetworkID($0.string) })
        let others = ids.subtracting(known).sorted()
            .prefix(max(0, Limits.networks - known.count))
        return ids.intersection(known).union(others)
    }

    private static func newer(_ url: URL) -> ReplicaError {
        ReplicaError(.newerFormat, url, "a later version of the app uses the shared folder")
    }

    private static func noReplica(_ url: URL) -> ReplicaError {
        ReplicaError(
            .notAReplica, url, "\(Marker.name) is not the file that a replica writes")
    }

    private static func missing(_ url: URL) -> ReplicaError {
        ReplicaError(
            .folderMissing, url, "the shared folder is missing or empty; is its volume mounted?")
    }

    private static func otherNetwork(_ url: URL) -> ReplicaError {
        ReplicaError(
            .otherNetwork, url,
            "the folder belongs to devices that this collection was never synced with; "
                + "use the folder of before, or leave that one first")
    }

    /// Whether the folder has files of this device, or of one that it knows.
    private static func hasFiles(
        of known: LocalState, in root: Handle, on disk: any FileSystem
    ) throws -> Bool {
        guard let replicas = try disk.openFolderIfOne(replicas, in: root) else { return false }
        for device in Set(known.state.seen.numbers.keys).union([known.device]) {
            let name = try FileName(validating: device.description)
            guard let folder = try disk.openFolderIfOne(name, in: replicas) else { continue }
            if try disk.list(folder).contains(where: { SegmentName($0) != nil }) { return true }
        }
        return false
    }

    /// Gives something that is in the place of a folder or a file of the library another name.
    @discardableResult
    static func setAside(_ name: FileName, in parent: Handle, on disk: any FileSystem) throws
        -> SkippedSegment
    {
        let other = try FileName(validating: "\(name)-\(RandomName.digits().prefix(8))")
        try disk.moveIfPresent(name, in: parent, to: other, in: parent)
        return SkippedSegment(path: other.string, reason: "it was in the place of \(name)")
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
            // Best effort: what stays, such as a folder, does no harm.
            try? disk.removeFile(name, in: root)
        }
    }

    /// Opens the folder of this device, or of one that it was before; it is made if it is missing.
    func folder(of device: DeviceID) throws -> Handle {
        let name = try FileName(validating: device.description)
        if let kind = try disk.status(of: name, in: replicas)?.kind, kind != .folder {
            // `list()` names it.
            try Self.setAside(name, in: replicas, on: disk)
        }
        return try disk.openOrMakeFolder(name, in: replicas, mode: 0o755)
    }

    /// Writes a file that appears with all its bytes, and is on stable storage then.
    ///
    /// It is written in `temporary` first, which is not in the shared folder; if that is on another volume, under a
    /// hidden name beside its own.
    static func write(
        _ bytes: [UInt8], as name: FileName, in folder: Handle,
        temporary: Handle?, on disk: any FileSystem
    ) throws {
        func write(in place: Handle) throws {
            let hidden = try FileName(validating: ".\(RandomName.digits()).tmp")
            try disk.placeFile(name, in: folder, from: hidden, in: place) {
                let file = try disk.openFile(hidden, in: place, for: .create(mode: 0o644))
                try disk.write(bytes, to: file, at: 0)
                return file
            }
        }
        guard let temporary else { return try write(in: folder) }
        do {
            try write(in: temporary)
        } catch let error as FileSystemError where error.code == .crossDevice {
            try write(in: folder)
        }
    }
}

extension FileSystem {
    /// Opens the folder `name`; nil if nothing, or something else, has the name.
    func openFolderIfOne(_ name: FileName, in parent: Handle) throws -> Handle? {
        guard try status(of: name, in: parent)?.kind == .folder else { return nil }
        return try openFolderIfPresent(name, in: parent)
    }
}
