import Directory
import DirectoryReplicas
import Foundation

extension Command {
    static let conflicts = Command(
        "conflicts", "DIR [NUMBER [VALUE]]", options: [.json], needs: .anyStore,
        "Sync, and show what was changed apart.",
        """
        Each conflict has a number, and so has each of its values. With VALUE, all
        devices get that one.
        """
    ) { call in
        let replica = try call.replica()
        try replica.sync()
        let all = replica.conflicts
        let numbers = call.operands.dropFirst().map { Int($0) ?? 0 }
        guard let number = numbers.first else { return try show(Array(all.indices), replica, call) }
        guard all.indices.contains(number &- 1) else { throw noSuchValue }
        guard numbers.count > 1 else { return try show([number - 1], replica, call) }
        let conflict = all[number - 1]
        guard conflict.values.indices.contains(numbers[1] &- 1) else { throw noSuchValue }
        let chosen = conflict.values[numbers[1] - 1]
        try replica.resolve(conflict, keeping: chosen)
        call.say("The \(conflict.member) is \((chosen.json ?? "nothing").printable) everywhere")
    }

    private static let noSuchValue = Failure(
        "there is no such conflict or value", hint: "See: directory-demo conflicts DIR")

    /// Shows the conflicts at `positions`.
    private static func show(_ positions: [Int], _ replica: Replica, _ call: Call) throws {
        let rows = positions.map { position in
            let conflict = replica.conflicts[position]
            let project = UUID(uuidString: conflict.itemID).flatMap {
                call.store.projects.items[id: $0]
            }
            return ConflictRow(
                number: position + 1,
                item: project?.name ?? "\(conflict.collection) \(conflict.itemID)",
                member: conflict.member,
                values: conflict.values.map { value in
                    let device = replica.devices.first { $0.id == value.device }
                    return .init(json: value.json, device: device?.name ?? "\(value.device)")
                })
        }
        try call.show(
            rows, name: { "\($0.number)" }, emptyText: "Nobody has changed the same apart"
        ) { row in
            let values = row.values.enumerated().map { number, value in
                "\(number + 1) \(value.json ?? "nothing") (\(value.device))"
            }
            return "\(row.member) of \(row.item): \(values.joined(separator: ", "))".printable
        }
    }

    /// A conflict as `conflicts` shows it.
    private struct ConflictRow: Encodable {
        struct Value: Encodable {
            let json: String?
            let device: String
        }

        /// Its position in the list of all, from 1.
        let number: Int
        /// The name of the project, or the id of the photo or note.
        let item: String
        let member: String
        let values: [Value]
    }
}
