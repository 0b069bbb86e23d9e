import FileSystem

extension Segment {
    /// The lines of the segment.
    package var bytes: [UInt8] {
        var writer = LineWriter()
        writer.line { line in
            line.member("format", Format.version)
            line.member("device", header.device.description)
            line.member("seq", header.number)
            line.member("at", header.time)
            line.member("seen", header.seen)
            if let name = header.name { line.member("name", name) }
            if !header.removedDevices.isEmpty {
                line.name("removes")
                line.array { array in
                    for device in header.removedDevices { array.element(device.description) }
                }
            }
            if let request = header.request { line.write(request) }
            line.member("entries", entries.count)
        }
        for entry in entries { writer.line { entry.write(to: &$0) } }
        return writer.bytes
    }
}

extension LineWriter {
    /// Writes the request that a state repeats.
    mutating func write(_ asked: AskedRequest) {
        name("asked")
        array { array in
            array.element(asked.number)
            array.element(asked.time)
        }
        write(asked.request)
    }

    fileprivate mutating func write(_ request: Request) {
        member("waits", request.segments)
        name("wrong")
        array { array in
            for hash in request.files.map(\.description).sorted() { array.element(hash) }
        }
    }
}

extension SegmentEntry {
    func write(to line: inout LineWriter) {
        line.member("in", kind)
        line.member("id", key.text)
        switch container {
        case .some(.some(let container)): line.member("of", container.text)
        case .some(.none): line.member("of", json: "null".utf8)
        case .none: break
        }
        if let position { line.member("at", position.text) }
        if let set { line.member("set", json: set) }
        if !unset.isEmpty {
            line.name("unset")
            line.array { array in for name in unset { array.element(name) } }
        }
        if let file {
            line.name("file")
            line.array { file.write(to: &$0) }
        }
        if removed != .nothing { line.member("gone", removed.text) }
        if let seen { line.member("seen", seen) }
    }
}

extension Removal {
    /// The word for it in JSON.
    var text: String { self == .container ? "container" : "item" }
}

extension FileValue {
    func write(to array: inout LineWriter) {
        array.element(name)
        array.element(hash.description)
        array.element(size)
    }
}

/// The format of the shared folder and of the local state.
enum Format {
    static let version = 1
}
