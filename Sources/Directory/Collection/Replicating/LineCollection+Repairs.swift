import FileSystem

extension LineCollection {
    /// What repairs have set aside of this collection, by the names of the files that have it.
    ///
    /// Files in `known` are not read.
    package func setAside(besides known: Set<String>) throws -> [String: LinesSetAside] {
        try core.describing("look at what was repaired in") {
            guard let folder = try core.openFolder(making: false),
                let aside = try folder.openFolder(folder.names.recovered)
            else { return [:] }
            var found: [String: LinesSetAside] = [:]
            for name in try disk.list(aside)
            where IndexNames.isFileOfLines(name) && !known.contains(name.string) {
                found[name.string] = lines(of: try disk.readAll(name, in: aside) ?? [])
            }
            return found
        }
    }

    private func lines(of file: [UInt8]) -> LinesSetAside {
        var lines = LinesSetAside(ids: [], hasOthers: false)
        // A repair writes an array as an index has it: each element in a line, and the brackets in lines of their own.
        for line in file.split(separator: UInt8(ascii: "\n")).dropFirst().dropLast() {
            let line = line.last == UInt8(ascii: ",") ? line.dropLast() : line
            if let id = try? IndexLine(line, core.reader).id {
                lines.ids.insert(id)
            } else {
                lines.hasOthers = true
            }
        }
        return lines
    }

    /// The lines in a file that a repair has written.
    package struct LinesSetAside: Sendable {
        /// The ids of those that are items.
        package var ids: Set<ElementID>
        /// Whether there are others.
        package var hasOthers: Bool
    }
}
