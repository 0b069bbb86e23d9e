public import Foundation

extension String: PreferenceValue {
    /// Makes the value from a stored string.
    public init(propertyList: PropertyList) throws {
        guard case .string(let text) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        self = text
    }

    /// The value as a stored string.
    public var propertyList: PropertyList { .string(self) }
}

extension Data: PreferenceValue {
    /// Makes the value from stored data.
    public init(propertyList: PropertyList) throws {
        guard case .data(let data) = propertyList else {
            throw propertyList.mismatch(Self.self)
        }
        self = data
    }

    /// The value as stored data.
    public var propertyList: PropertyList { .data(self) }
}

extension Date: PreferenceValue {
    /// Makes the value from a stored date, or from a number of seconds since 2001.
    public init(propertyList: PropertyList) throws {
        if case .date(let date) = propertyList {
            self = date
        } else {
            try self.init(timeIntervalSinceReferenceDate: Double(propertyList: propertyList))
        }
    }

    /// The value as a stored date.
    ///
    /// Files on Linux keep whole seconds of years with four digits. There any other date is stored
    /// as a number of seconds since 2001.
    public var propertyList: PropertyList {
        #if canImport(ObjectiveC)
            return .date(self)
        #else
            let seconds = timeIntervalSinceReferenceDate
            let isKeptExactly =
                self >= .distantPast && self <= .distantFuture && seconds == seconds.rounded()
            return isKeptExactly ? .date(self) : .real(seconds)
        #endif
    }
}

extension URL: PreferenceValue {
    /// Makes the value from a stored absolute string, from a stored path of a file, or from data
    /// that `NSKeyedArchiver` made.
    ///
    /// A path begins with `/` or `~`. `UserDefaults.set(_:forKey:)` stores the URL of a file as a
    /// path, and any other URL as data.
    public init(propertyList: PropertyList) throws {
        if case .data(let archive) = propertyList {
            guard
                let url = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSURL.self, from: archive)
            else { throw propertyList.mismatch(Self.self) }
            self = url as URL
            return
        }
        let text = try String(propertyList: propertyList)
        if text.hasPrefix("/") || text.hasPrefix("~") {
            self.init(
                filePath: (text as NSString).expandingTildeInPath, directoryHint: .inferFromPath)
        } else if let url = URL(string: text) {
            self = url
        } else {
            throw propertyList.mismatch(Self.self)
        }
    }

    /// The absolute string of the value.
    public var propertyList: PropertyList { .string(absoluteString) }
}
