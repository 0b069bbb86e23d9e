import FileSystem
import Foundation

extension Session {
    /// Reads the local state if it is not known, or another process has changed it.
    mutating func load(_ files: LocalFiles, _ identity: Identity) throws {
        let current = try files.version()
        if isLoaded, current == version, identity.device == known.device { return }
        forget()
        try files.removeTemporaryFiles()
        var found: (state: LocalState, version: LocalVersion)?
        do {
            found = try files.read(environment.rules)
        } catch let error as FormatError where error.isNewer {
            throw error
        } catch let error where !(error is FileSystemError) {
            // The collections are still there. The next identity publishes the changes that this one had not published.
            try files.setAside()
        }
        if let found, identity.device == found.state.device {
            (known, version) = (found.state, found.version)
        } else if let old = found?.state, old.device == identity.homes.first?.device {
            try move(old, files, identity)
        } else {
            try takeNewIdentity(found?.state, others: [], files, identity)
        }
        (isLoaded, mayBeSetBack) = (true, true)
        unsettled = unsettledItems
    }

    /// The items of the state that may not be shown as they should be.
    private var unsettledItems: Set<ItemReference> {
        var items: Set<ItemReference> = []
        for kind in Set(known.state.items.keys).union(known.base.items.keys) {
            let states = known.state.items[kind] ?? .init()
            let shown = known.base.items[kind] ?? .init()
            for key in shown.changedKeys(from: states) {
                if case .plain(let plain) = states[key]?.form, plain.removed == .nothing,
                    let shown = shown[key],
                    shown.seen == nil, shown.line == plain.line,
                    shown.container == plain.container, shown.position == plain.position,
                    shown.file == plain.file
                {
                    continue
                }
                items.insert(ItemReference(kind, key))
            }
            guard kinds[kind]?.ownsFiles == true else { continue }
            for (key, shown) in shown where shown.file == nil {
                items.insert(ItemReference(kind, key))
            }
        }
        return items
    }

    /// Makes the store that of a new device on this machine, which has the knowledge of the old one.
    ///
    /// `others` is what the store is on other machines: nothing if it was set back, because then it does not know what
    /// it wrote there.
    private mutating func takeNewIdentity(
        _ old: LocalState?, others: [Identity.Home], _ files: LocalFiles, _ identity: Identity
    ) throws {
        var random = Chance(environment: environment)
        let home = Identity.Home(
            machine: identity.machine, device: DeviceID(using: &random))
        try become(home, others: others, old, files, identity)
    }

    /// Makes the store that was used on another machine the device that it was on this one, or a new one.
    private mutating func move(
        _ old: LocalState, _ files: LocalFiles, _ identity: Identity
    ) throws {
        var others = identity.homes
        others[0].number = old.number
        (others[0].files, others[0].sizeOfChanges) = (old.files, old.sizeOfChanges)
        let home = others.first { $0.machine == identity.machine }
        others.removeAll { $0.machine == identity.machine }
        if let home, home.isAsLeft(in: old.state) {
            try become(home, others: others, old, files, identity)
        } else {
            try takeNewIdentity(old, others: others, files, identity)
        }
    }

    private mutating func become(
        _ home: Identity.Home, others: [Identity.Home], _ old: LocalState?, _ files: LocalFiles,
        _ identity: Identity
    ) throws {
        var new = old ?? LocalState(device: home.device, environment.rules)
        // This store has shown what it wrote as the old device, also of items that it shows in an older version.
        new.base.noteSeen(Dot(new.device, new.number))
        (new.device, new.number) = (home.device, home.number)
        (new.files, new.sizeOfChanges) = (home.files, home.sizeOfChanges)
        // It has the number of a segment of the old device.
        new.asked = nil
        // Others may never get a file of the old device, so a new one writes a state, as if its changes were larger.
        if home.number == 0, old != nil { new.sizeOfChanges = Limits.state }
        known = new
        try save(files)
        try identity.write(home.device, others: others, on: files.disk)
    }

    /// Takes a new identity if this store was set back: the shared folder has newer files of this device.
    mutating func takeNewIdentityIfRestored(_ open: OpenReplica) throws {
        let name = try FileName(validating: known.device.description)
        let shared = open.shared
        guard let folder = try shared.disk.openFolderIfOne(name, in: shared.replicas) else {
            return
        }
        let newer = try shared.disk.list(folder).compactMap { file in
            SegmentName(file).map { FoundFile(folder: name, file: file, name: $0) }
        }.filter { $0.name.number > known.number }
        let old = useless
        useless = useless.filter { $0.key.device != known.device }
        for file in newer {
            guard let status = try? shared.status(of: file) else { continue }
            if let useless = old[file], useless.status == status {
                self.useless[file] = useless
                continue
            }
            guard let bytes = try? shared.read(file, environment.rules),
                let device = try? file.name.content == .state
                    ? StateFile(bytes[...]).device : Segment.read(bytes[...]).last?.header.device,
                device == known.device
            else {
                useless[file] = UselessFile(
                    status: status, reason: "this device did not write it", isDamaged: false)
                continue
            }
            return try takeNewIdentity(known, others: [], open.files, open.identity)
        }
    }

    /// Takes a new identity if a file that is not joined yet says that this device wrote more than it knows.
    ///
    /// Then the store was set back, and its next segments would have numbers that others know.
    mutating func takeNewIdentityIfOthersKnowMore(_ open: OpenReplica) throws {
        if known.number == 0 { return }
        for file in try open.shared.list(knownDevices).files where !isKnown(file) {
            guard let bytes = try? open.shared.read(file, environment.rules),
                let seen = try? file.name.content == .state
                    ? StateFile.seen(bytes[...])
                    : Segment.read(bytes[...]).last?.header.seenWithItself,
                seen[known.device] > known.number
            else { continue }
            return try takeNewIdentity(known, others: [], open.files, open.identity)
        }
    }

    /// Takes a new identity if another device has removed this one, or knows newer segments of it, because this store
    /// was set back.
    mutating func takeNewIdentityIfNeeded(_ open: OpenReplica) throws {
        if known.state.seen[known.device] > known.number {
            try takeNewIdentity(known, others: [], open.files, open.identity)
        } else if known.state.removedDevices.contains(known.device) {
            let others = Array(open.identity.homes.dropFirst())
            try takeNewIdentity(known, others: others, open.files, open.identity)
        }
    }
}

extension Session {
    /// Applies a record to the local state, and puts it on stable storage.
    mutating func record(_ record: LocalRecord, _ files: LocalFiles) throws {
        try known.apply(record)
        var record = record
        // Items that are as others wrote them take no space in such a record.
        if case .imported(let change) = record,
            change.items.count > max(options.largeImport, known.base.count / 2)
        {
            record = .rest(known.rest)
        }
        try append(record, files)
    }

    /// Puts a record that was applied on stable storage.
    mutating func append(_ record: LocalRecord, _ files: LocalFiles) throws {
        guard let version else { return try save(files) }
        self.version = try files.append(record, to: version)
        // As with the journal of an index, so that the file does not grow for ever.
        if version.size > options.localFileLimit, version.size > 2 * sizeWhenSaved {
            try save(files)
        }
    }

    /// Writes the whole local state to stable storage; `file` is the file that the state was just read from, if there
    /// is one.
    mutating func save(_ files: LocalFiles, as file: [UInt8]? = nil) throws {
        let version = try files.replace(
            by: known.packedRecords(of: file, time: environment.now()))
        self.version = version
        sizeWhenSaved = version.size
    }
}
