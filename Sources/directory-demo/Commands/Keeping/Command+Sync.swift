import Directory
import DirectoryReplicas
import Foundation

extension Command {
    @Sendable static func sync(_ call: Call) async throws {
        let (replica, folder) = try call.replica()
        let report: SyncReport
        do {
            report = try await replica.sync()
        } catch let error as ReplicaError where error.code == .held {
            guard call.has(.force), case .held(let held) = replica.status else {
                throw Failure(
                    error.reason, hint: "To tell them: directory-demo sync DIR --force")
            }
            try replica.release(held)
            report = try await replica.sync()
        }
        call.say("Synced with \(folder.relativePath.styled(.blue)): \(report.summary)")
        for file in replica.unusedFiles { Output.report("left alone \(file.path): \(file.reason)") }
        guard call.has(.watch) else { return }
        Task { await replica.run { Output.report(Failure($0).message) } }
        try await watch(call)
    }

    @Sendable static func devices(_ call: Call) throws {
        let (replica, _) = try call.replica()
        try replica.sync()
        let rows = replica.devices.map(DeviceRow.init)
        try call.show(rows, name: { $0.name ?? $0.id }, emptyText: nil) { row in
            (row.isThis ? "this one, " : "") + "last seen \(row.lastSeen)".styled(.dim)
        }
    }

    @Sendable static func conflicts(_ call: Call) throws {
        let (replica, _) = try call.replica()
        try replica.sync()
        let names = Dictionary(
            replica.devices.map { ($0.id, $0.name ?? "\($0.id)") }, uniquingKeysWith: { $1 })
        let rows = replica.conflicts.enumerated().map { number, conflict in
            ConflictRow(number + 1, conflict, call.store, names)
        }
        let words = call.operands.dropFirst().map { Int($0) }
        let shown = words.isEmpty ? rows : rows.filter { $0.number == words[0] }
        if words.isEmpty || (words.count == 1 && !shown.isEmpty) {
            return try call.show(
                shown, name: { "\($0.number)" }, emptyText: "Nobody has changed the same apart"
            ) { row in
                let values = row.values.enumerated().map { number, value in
                    "\(number + 1) \(value.json ?? "nothing") (\(value.device))"
                }
                return "\(row.member) of \(row.item): \(values.joined(separator: ", "))".printable
            }
        }
        guard let row = shown.first, let number = words.last ?? nil,
            row.values.indices.contains(number - 1)
        else {
            throw Failure(
                "there is no such conflict or value", hint: "See: directory-demo conflicts DIR")
        }
        let conflict = replica.conflicts[row.number - 1]
        let chosen = conflict.values[number - 1]
        try replica.resolve(conflict, keeping: chosen)
        call.say("The \(conflict.member) is \((chosen.json ?? "nothing").printable) everywhere")
    }
}

extension Command.Call {
    /// The replica of the store in the folder that the first operand names, and that folder.
    fileprivate func replica() throws -> (Replica, URL) {
        let folder = try URL(operands[0], of: "folder", directoryHint: .isDirectory)
        let place = store.folder.absoluteURL.lastPathComponent
        let options = ReplicaOptions(
            deviceName: "\(place) on \(ProcessInfo.processInfo.hostName)", interval: .seconds(1))
        let replica = try Replica(
            of: store.projects, in: folder.absoluteURL,
            children: [Child.photos.replicated(), Child.notes.replicated()], options: options)
        return (replica, folder)
    }
}

extension SyncReport {
    /// The numbers of items that were sent, received and wait, in words.
    fileprivate var summary: String {
        let parts = [
            published == 0 ? nil : "told others of \(published.of("item"))",
            imported == 0 ? nil : "changed \(imported.of("item")) here",
            pending == 0 ? nil : "\(pending.of("photo")) not here yet",
            conflicts == 0 ? nil : "\(conflicts.of("conflict")), see \"conflicts\"",
        ].compactMap(\.self)
        return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    }
}

private struct DeviceRow: Encodable {
    let id: String
    let name: String?
    /// In the form of ISO 8601.
    let lastSeen: String
    let isThis: Bool

    init(_ device: Replica.Device) {
        (id, name, isThis) = (device.id.description, device.name, device.isThis)
        lastSeen = device.lastSeen.formatted(.iso8601)
    }
}

private struct ConflictRow: Encodable {
    struct Value: Encodable {
        let json: String?
        let device: String
    }

    /// Its position in the list of all, from 1.
    let number: Int
    let item: String
    let member: String
    let values: [Value]

    init(
        _ number: Int, _ conflict: Replica.Conflict, _ store: Store,
        _ names: [Replica.Device.ID: String]
    ) {
        (self.number, member) = (number, conflict.member)
        let project = UUID(uuidString: conflict.itemID).flatMap { store.projects.items[id: $0] }
        item = project.map(\.name) ?? "\(conflict.collection) \(conflict.itemID)"
        values = conflict.values.map {
            Value(json: $0.json, device: names[$0.device] ?? "\($0.device)")
        }
    }
}
