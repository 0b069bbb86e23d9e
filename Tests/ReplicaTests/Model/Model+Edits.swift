import Directory
import Foundation
import TestSupport

extension Model {
    /// A value that nothing else has.
    private mutating func newValue(on device: TestDevice) -> String {
        valueCount += 1
        makers["v\(valueCount)"] = device.name
        return "v\(valueCount)"
    }

    private mutating func newID() -> UUID {
        let (high, low) = (random.next(), random.next())
        return withUnsafeBytes(of: (high, low)) { UUID(uuid: $0.load(as: uuid_t.self)) }
    }

    /// Changes something on a device.
    mutating func edit(_ device: TestDevice) throws {
        try device.projects.load()
        let value = newValue(on: device)
        counts.writes += 1
        let choice = Double.random(in: 0..<1, using: &random)
        guard let project = device.projects.items.randomElement(using: &random), choice >= 0.15
        else { return try addProject(value, device) }
        switch choice {
        case ..<0.3:
            let notes = try device.notes(project.id)
            var note = Note(text: value)
            note.id = newID()
            try notes.append(note)
        case ..<0.45:
            let photo = try device.photos(project.id).insert(Data(value.utf8), name: "\(value).jpg")
            _ = photo
        case ..<0.6:
            try device.projects.update(id: project.id) { $0.title = value }
        case ..<0.68:
            try device.projects.update(id: project.id) {
                $0.note = $0.note == nil ? value : nil
            }
        case ..<0.8: try editNote(value, project, device)
        case ..<0.86: try device.projects.remove(id: project.id)
        case ..<0.9:
            let count = device.projects.count
            let from = Int.random(in: 0..<count, using: &random)
            try device.projects.move(
                fromOffsets: [from], toOffset: .random(in: 0...count, using: &random))
        case ..<0.94:
            let names = ["Trip", "Moon", "Sun"]
            let wish = names.randomElement(using: &random) ?? ""
            let name = try device.projects.freeFolderName(for: wish, of: project.id)
            try device.projects.update(id: project.id) { $0.folderName = name }
        default: try moveNote(from: project, device)
        }
    }

    private mutating func addProject(_ value: String, _ device: TestDevice) throws {
        let wish = ["Trip", "trip", "Moon", "Sun"].randomElement(using: &random) ?? ""
        var project = Project(value, folder: try device.projects.freeFolderName(for: wish))
        project.id = newID()
        let place = Int.random(in: 0...device.projects.count, using: &random)
        try device.projects.insert(project, at: place)
    }

    private mutating func editNote(_ value: String, _ project: Project, _ device: TestDevice) throws
    {
        let notes = try device.notes(project.id)
        try notes.load()
        guard let note = notes.items.randomElement(using: &random) else { return }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: try notes.remove(id: note.id)
        case 1: try notes.update(id: note.id) { $0.mark = value }
        default: try notes.update(id: note.id) { $0.text = value }
        }
    }

    private mutating func moveNote(from project: Project, _ device: TestDevice) throws {
        let notes = try device.notes(project.id)
        try notes.load()
        guard let note = notes.items.randomElement(using: &random),
            let other = device.projects.items.filter({ $0.id != project.id })
                .randomElement(using: &random)
        else { return }
        try device.projects.write { draft in
            try draft.write(.notes, of: project.id) { try $0.remove(id: note.id) }
            try draft.write(.notes, of: other.id) { try $0.append(note) }
        }
    }
}
