import FileSystem

/// The path that each file and folder had last.
struct RecordedPaths {
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

    /// Takes over names that were made and removed, and describes the change.
    mutating func apply(_ entries: [RecordedDisk.Entry]) -> String {
        for entry in entries where !entry.isRemoval {
            places[entry.inode] = (entry.folder, entry.name)
        }
        let paths = entries.map { path(of: $0.name, in: $0.folder) }
        if entries.allSatisfy({ !$0.isRemoval }), paths.count > 1 {
            return "exchange \(paths[0]) with \(paths[1])"
        }
        if paths.count > 1 { return "move \(paths[1]) to \(paths[0])" }
        return "\(entries[0].isRemoval ? "remove" : "make") \(paths[0])"
    }

    /// The name with a star in place of 128 random bits.
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
