import Preferences

extension Command {
    @Sendable static func config(_ call: Call) throws {
        guard let key = call.operands.first else { return show(Setting.all) }
        guard let setting = Setting.all.first(where: { $0.key == key }) else {
            let keys = Setting.all.map(\.key).joined(separator: ", ")
            throw Failure(.usage, "there is no preference \(key), but there are \(keys)")
        }
        guard let value = call.operands.dropFirst().first else {
            return print(setting.value().printable)
        }
        guard try setting.set(value) else {
            throw Failure(.usage, "\(key) cannot be \"\(value)\", but can be \(setting.allowed)")
        }
        if let error = Settings.takeErrors().first(where: { $0.code != .unreadable }) {
            throw Failure(error.description)
        }
        show([setting])
    }

    private static func show(_ settings: [Setting]) {
        let keyWidth = settings.map(\.key.count).max() ?? 0
        let valueWidth = settings.map { $0.value().columns }.max() ?? 0
        for setting in settings {
            let value = setting.value().padded(to: valueWidth).styled(.bold)
            print("\(setting.key.padded(to: keyWidth))  \(value)", terminator: "  ")
            print(setting.allowed.styled(.dim))
        }
    }
}
