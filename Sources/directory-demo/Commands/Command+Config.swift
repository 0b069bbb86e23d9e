import Preferences

extension Command {
    static let config = Command(
        "config", "[KEY [VALUE]]", needs: .nothing, "Show or set preferences.",
        "They are sort, colour and project; without VALUE they are shown."
    ) { call in
        guard let key = call.operands.first else { return printLines(Setting.allCases) }
        guard let setting = Setting(rawValue: key) else {
            let keys = Setting.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.usage, "there is no preference \(key), but there are \(keys)")
        }
        guard let value = call.operands.dropFirst().first else {
            return print(setting.value.printable)
        }
        guard try setting.set(value) else {
            throw Failure(.usage, "\(key) cannot be \"\(value)\", but can be \(setting.allowed)")
        }
        if let error = Settings.takeErrors().first(where: { $0.code != .unreadable }) {
            throw Failure(error.description)
        }
        printLines([setting])
    }

    private static func printLines(_ settings: [Setting]) {
        let width = settings.map(\.value.count).max() ?? 0
        for setting in settings {
            let value = setting.value.padded(to: width).styled(.bold)
            print("\(setting.rawValue.padded(to: 7))  \(value)  \(setting.allowed.styled(.dim))")
        }
    }
}
