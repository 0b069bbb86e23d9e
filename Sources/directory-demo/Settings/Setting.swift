/// A preference as `config` shows and sets it.
struct Setting: Sendable {
    let key: String
    /// The values that it can have, as text for a person.
    let allowed: String
    let value: @Sendable () -> String
    /// Sets the preference; returns false if the text is not a valid value.
    let set: @Sendable (String) throws -> Bool
}

extension Setting {
    static let all = [choice("sort", \.sort), choice("colour", \.colour), lastProject]

    /// A preference whose value is one of a few words.
    private static func choice<Value: RawRepresentable<String> & CaseIterable & Sendable>(
        _ key: String, _ path: any ReferenceWritableKeyPath<Settings, Value> & Sendable
    ) -> Setting {
        Setting(
            key: key, allowed: Value.allCases.map(\.rawValue).joined(separator: ", "),
            value: { Settings()[keyPath: path].rawValue },
            set: { text in
                guard let value = Value(rawValue: text) else { return false }
                Settings()[keyPath: path] = value
                return true
            })
    }

    private static let lastProject = Setting(
        key: "project", allowed: "the name of a project, or \"\" for none",
        value: { Settings().project ?? "" },
        set: { text in
            // The preference holds a project of the default store.
            if !text.isEmpty { _ = try Store(at: nil, .store).project(named: text) }
            Settings().project = text.isEmpty ? nil : text
            return true
        })
}
