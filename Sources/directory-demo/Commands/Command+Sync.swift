import Directory
import DirectoryReplicas
import Foundation

extension Command {
    static let sync = Command(
        "sync", "DIR", options: [.watch, .force], needs: .anyStore,
        "Keep the store the same on several devices.",
        """
        DIR is a folder beside the store that Syncthing, rclone, git or a USB stick
        carries to the other devices, which sync with theirs. What was changed here is
        written there, and what others wrote is taken in. If very much was removed here
        at once, the others are told with --force only.
        """
    ) { call in
        let replica = try call.replica()
        var report = try await replica.sync()
        if call.has(.force), case .held(let held) = replica.status {
            try replica.release(held)
            report = try await replica.sync()
        }
        call.say("Synced with \(call.operands[0].styled(.blue)): \(report.summary)")
        if case .waiting(let missing) = replica.status {
            let names = missing.map { missing in
                replica.devices.first { $0.id == missing.device }?.name ?? "\(missing.device)"
            }
            Output.report(
                "waits for changes of \(names.joined(separator: ", ")) that have not arrived",
                "Sync on a device that has them, then here again.")
        }
        for place in replica.unreadableCollections {
            Output.report("left alone \(place.url.path): \(place.reason)")
        }
        for file in replica.unusedFiles { Output.report("left alone \(file.path): \(file.reason)") }
        guard call.has(.watch) else { return }
        Task { await replica.run { Output.report(Failure($0).message) } }
        try await watch.body(call)
    }

    static let devices = Command(
        "devices", "DIR", options: [.json], needs: .anyStore,
        "Sync, and show the devices with the store."
    ) { call in
        let replica = try call.replica()
        try replica.sync()
        let rows = replica.devices.map {
            DeviceRow(
                id: "\($0.id)", name: $0.name ?? "\($0.id)", lastSeen: $0.lastSeen,
                isThis: $0.isThis)
        }
        try call.show(rows, name: \.name, emptyText: nil) { row in
            (row.isThis ? "this one, " : "") + "last seen \(row.lastSeen.asText)".styled(.dim)
        }
    }

    /// A device as `devices` shows it.
    private struct DeviceRow: Encodable {
        let id: String
        let name: String
        let lastSeen: Date
        let isThis: Bool
    }
}

extension Command.Call {
    /// The replica of the store in the folder that the first operand names.
    func replica() throws -> Replica {
        let folder = try URL(operands[0], of: "folder", directoryHint: .isDirectory)
        let place = store.folder.absoluteURL.lastPathComponent
        return try store.replica(
            in: folder.absoluteURL, named: "\(place) on \(ProcessInfo.processInfo.hostName)")
    }
}

extension Store {
    /// The replica of the store in a shared folder, on the device called `name`.
    func replica(in folder: URL, named name: String) throws -> Replica {
        try Replica(
            of: projects, in: folder,
            children: [Child.photos.replicated(), Child.notes.replicated()],
            options: ReplicaOptions(deviceName: name, interval: .seconds(1)))
    }
}

extension SyncReport {
    /// What was done and what waits, for a person.
    fileprivate var summary: String {
        let parts = [
            published == 0 ? nil : "told others of \(published.of("item"))",
            imported == 0 ? nil : "changed \(imported.of("item")) here",
            pending == 0 ? nil : "\(pending.of("photo")) not here yet",
            held == 0
                ? nil
                : "\(held.of("removal")) not told to others, for that use --force",
            conflicts == 0 ? nil : "\(conflicts.of("conflict")), see \"conflicts\"",
        ].compactMap(\.self)
        return parts.isEmpty ? "nothing to do" : parts.joined(separator: ", ")
    }
}
