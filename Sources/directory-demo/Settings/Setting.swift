/// A preference as `config` shows and sets it.
enum Setting: String, CaseIterable {
    case sort, colour, project

    /// The values that it can have, as text for a person.
    var allowed: String {
        switch self {
        case .sort: Settings.Sort.allCases.map(\.rawValue).joined(separator: ", ")
        case .colour: Settings.Colour.allCases.map(\.rawValue).joined(separator: ", ")
        case .project: "the name of a project, or \"\" for none"
        }
    }

    var value: String {
        switch self {
        case .sort: Settings().sort.rawValue
        case .colour: Settings().colour.rawValue
        case .project: Settings().project ?? ""
        }
    }

    /// Sets the preference; returns false if `text` is not a valid value.
    ///
    /// - Throws: ``Failure`` if there is no such project.
    func set(_ text: String) throws -> Bool {
        switch self {
        case .sort:
            guard let sort = Settings.Sort(rawValue: text) else { return false }
            Settings().sort = sort
        case .colour:
            guard let colour = Settings.Colour(rawValue: text) else { return false }
            Settings().colour = colour
        case .project:
            // The preference holds a project of the default store.
            if !text.isEmpty { _ = try Store(at: nil, .store).project(named: text) }
            Settings().project = text.isEmpty ? nil : text
        }
        return true
    }
}
