import Directory
import DirectoryReplicas
import FileSystem
import Foundation
import JSONCodec

extension Model {
    /// Everything that a device shows, as text by places; the values are those of members.
    func picture(of device: TestDevice) throws -> [String: String] {
        var picture: [String: String] = [:]
        func add<Item>(_ collection: Directory<Item>, _ place: String) throws {
            try collection.load()
            for line in LineCollection(collection).lines {
                let key = "\(place) \(line.id.value)"
                for member in try JSONMembers.all(of: line.bytes) ?? [] {
                    let isName = ["folderName", "fileName", "id", "date", "byteCount"]
                    if isName.contains(member.name) { continue }
                    picture["\(key) \(member.name)"] = String(decoding: member.value, as: UTF8.self)
                }
            }
        }
        try add(device.projects, "projects")
        for shelf in try device.shelves {
            try add(device.notes(shelf), "notes of \(shelf.id)")
            try add(device.photos(shelf), "photos of \(shelf.id)")
        }
        return picture
    }

    /// The orders, the names and the bytes that a device shows.
    private func details(of device: TestDevice) throws -> [String: String] {
        var details = try picture(of: device)
        details["order"] = "\(device.projects.items.map(\.id))"
        details["names"] = "\(device.projects.items.map(\.folderName))"
        for project in device.projects.items {
            let albums = try device.albums(project.id).loaded()
            details["albums of \(project.id)"] = "\(albums.map { "\($0.id) \($0.folderName)" })"
        }
        for shelf in try device.shelves {
            let photos = try device.photos(shelf)
            let (shownNotes, shownPhotos) = try (device.notes(shelf).loaded(), photos.loaded())
            details["order of notes \(shelf.id)"] = "\(shownNotes.map(\.id))"
            details["order of photos \(shelf.id)"] = "\(shownPhotos.map(\.id))"
            for photo in shownPhotos {
                let bytes = try photos.data(of: photo.id)
                details["bytes \(photo.id)"] = String(decoding: bytes, as: UTF8.self)
                // A file that could not be read is told later than the name, one that was lost never.
                if "\(String(decoding: bytes, as: UTF8.self)).jpg" != photo.name,
                    settings.unreadableFiles == 0, !lostPhotos.contains(photo.id)
                {
                    throw failure("\(device.name): the file of \(photo.name) is another one")
                }
            }
        }
        return details
    }

    /// Compares the devices with each other and with what happened.
    mutating func check() throws {
        let details = try devices.map { try self.details(of: $0) }
        for (device, other) in zip(devices, details) where other != details[0] {
            let differences = Set(other.keys).union(details[0].keys).filter {
                other[$0] != details[0][$0]
            }.sorted().prefix(3).map { "\($0): \(details[0][$0] ?? "–") or \(other[$0] ?? "–")" }
            throw failure("\(device.name) differs from \(devices[0].name): \(differences)")
        }
        for device in devices {
            let findings =
                try device.projects.verify()
                + device.projects.items.flatMap { try device.albums($0.id).verify() }
                + device.shelves.flatMap {
                    try device.photos($0).verify() + device.notes($0).verify()
                }
            // A machine leaves stages of another one alone for a day.
            let found = findings.first { $0.kind != .leftoverStage || !moved.contains(device.name) }
            if let found { throw failure("\(device.name): \(found)") }
        }
        try checkThatNothingIsLost(devices[0])
    }

    private mutating func checkThatNothingIsLost(_ device: TestDevice) throws {
        var shown: [ItemReference: [String: String]] = [:]
        var containers: [ItemReference: ItemReference] = [:]
        func add<Item>(
            _ collection: Directory<Item>, _ kind: String, in container: ItemReference? = nil
        ) throws where Item.ID == UUID {
            try collection.load()
            for (item, line) in zip(collection.items, LineCollection(collection).lines) {
                let item = ItemReference(kind, .uuid(item.id))
                let members = try JSONMembers.all(of: line.bytes) ?? []
                shown[item] = Dictionary(
                    members.map { ($0.name, String(decoding: $0.value, as: UTF8.self)) }
                ) { first, _ in first }
                containers[item] = container
            }
        }
        try add(device.projects, "projects")
        for project in device.projects.items {
            let reference = ItemReference("projects", .uuid(project.id))
            try add(device.albums(project.id), "projects/albums", in: reference)
        }
        for shelf in try device.shelves {
            try add(device.notes(shelf), "\(shelf.reference.kind)/notes", in: shelf.reference)
            try add(device.photos(shelf), "\(shelf.reference.kind)/photos", in: shelf.reference)
        }
        counts.shown += shown.count
        var kept: Set<ItemReference> = []
        for var item in containers.keys where oracle.mayLive(item) {
            while let container = containers[item], kept.insert(container).inserted {
                item = container
            }
        }
        let conflicts = Dictionary(grouping: device.replica.conflicts, by: \.itemID)
        counts.conflicts += device.replica.conflicts.count
        for (item, members) in oracle.writes {
            guard let values = shown[item] else {
                if oracle.mustLive(item) { throw failure("\(item) is lost") }
                continue
            }
            if !oracle.mayLive(item), !kept.contains(item) {
                throw failure("\(item) came back from the dead")
            }
            for member in members.keys where !member.hasPrefix("@") {
                if ["folderName", "fileName"].contains(member) { continue }
                let own = conflicts[item.key.id]?.first {
                    $0.collection == item.kind && $0.member == member
                }
                let candidates = Set((own?.values.map(\.json) ?? []) + [values[member]])
                for write in oracle.keptValues(item, member) where !candidates.contains(write.value)
                {
                    throw failure("\(item).\(member): \(write.value ?? "nil") is lost")
                }
                if member == "name" { try checkThatFilesWereTold(item) }
                if values[member] == nil, oracle.mayBeForgotten(item, member) { continue }
                let possible = oracle.possibleValues(item, member)
                if !possible.contains(where: { $0.value == values[member] }) {
                    throw failure("\(item).\(member) shows \(values[member] ?? "nil")")
                }
            }
        }
    }

    /// Checks that nobody has lost a file before it was told to others.
    private func checkThatFilesWereTold(_ item: ItemReference) throws {
        guard item.kind.hasSuffix("photos") else { return }
        let files = Set((oracle.writes[item]?["@file"] ?? []).map(\.value))
        // A photo that moves between a project and an album becomes another item, which can have the new name and the old
        // file, if who moves it has only these.
        let others = oracle.writes.filter { $0.key.key == item.key && $0.key != item }
        let moved = Set(others.flatMap { ($0.value["name"] ?? []).map(\.value) })
        for write in oracle.keptValues(item, "name") where !moved.contains(write.value) {
            // The user of the only device that may have had the file removed the photo, which others moved meanwhile.
            if removedValues.contains(write.value ?? "") { continue }
            // The name of the file of a photo says which bytes it has.
            let value = valueName(write.value ?? "")
            if !files.contains(SHA256.hash(Array(value.utf8)).description) {
                throw failure("\(item): nobody was told the file of \(value)")
            }
        }
    }
}
