package import FileSystem

extension RecordedDisk {
    /// Says in words what each event was, with a star for what is random in a name.
    ///
    /// Two recordings of the same calls have the same steps.
    package static func steps(
        of events: [Event], on start: MemoryFileSystem.Image
    ) -> [String] {
        var paths = Paths(of: start)
        return events.map { event in
            switch event {
            case .acknowledged: "acknowledge"
            case .sync(let inode): "sync \(paths.path(of: inode))"
            case .unit(.write(let inode, _, _)): "write \(paths.path(of: inode))"
            case .unit(.truncation(let inode, _)): "truncate \(paths.path(of: inode))"
            case .unit(.entries(let entries)): paths.apply(entries)
            }
        }
    }
}

/// Where each file and folder was last seen.
private struct Paths {
    private var places: [UInt64: (folder: UInt64, name: FileName)] = [:]

    init(of image: MemoryFileSystem.Image) {
        for case (let folder, .folder(let entries)) in image.contents {
            for (name, inode) in entries { places[inode] = (folder, name) }
        }
    }

    func path(of inode: UInt64) -> String {
        guard inode != MemoryFileSystem.Image.root, let place = places[inode] else { return "" }
        return path(of: place.name, in: place.folder)
    }

    private func path(of name: FileName, in folder: UInt64) -> String {
        "\(path(of: folder))/\(Self.withoutRandom(name.string))"
    }

    /// Takes names that come and go, and says so.
    mutating func apply(_ entries: [RecordedDisk.Entry]) -> String {
        for entry in entries where !entry.isRemoval {
            places[entry.inode] = (entry.folder, entry.name)
        }
        let paths = entries.map { path(of: $0.name, in: $0.folder) }
        if paths.count > 1 { return "move \(paths[1]) to \(paths[0])" }
        return "\(entries[0].isRemoval ? "remove" : "make") \(paths[0])"
    }

    /// The name with a star for 128 random bits.
    private static func withoutRandom(_ name: String) -> String {
        var shortened = ""
        var digits = ""
        func end() {
            shortened += digits.count >= 32 ? "*" : digits
            digits = ""
        }
        for character in name {
            if character.isHexDigit || character == "-" {
                digits.append(character)
            } else {
                end()
                shortened.append(character)
            }
        }
        end()
        return shortened
    }
}
