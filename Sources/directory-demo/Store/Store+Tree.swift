import Directory
import Foundation

extension Store {
    /// Prints the visible folders and files of the store; each photo with the name it had.
    func printTree() throws {
        let photos = try projects.items.flatMap { try open(.photos, of: $0).items }
        let names = Dictionary(photos.map { ($0.fileName, $0.name) }) { first, _ in first }
        print(folder.path(percentEncoded: false).styled(.bold))
        let manager = FileManager.default
        guard manager.fileExists(atPath: folder.path(percentEncoded: false)) else {
            return print("(no files yet)".styled(.dim))
        }
        try printEntries(of: folder, indent: "", names)
    }

    private func printEntries(of folder: URL, indent: String, _ names: [String: String]) throws {
        let entries = try folder.visibleEntries()
        for (position, entry) in entries.enumerated() {
            let isLast = position == entries.count - 1
            let name = entry.lastPathComponent
            print("\(indent)\(isLast ? "└── " : "├── ")".styled(.dim), terminator: "")
            let attributes = try FileManager.default.attributesOfItem(
                atPath: entry.path(percentEncoded: false))
            if attributes[.type] as? FileAttributeType == .typeDirectory {
                print(name.styled(.blue))
                try printEntries(of: entry, indent: indent + (isLast ? "    " : "│   "), names)
            } else {
                let size = (attributes[.size] as? NSNumber)?.intValue.asBytes ?? ""
                let details = [names[name], size].compactMap { $0 }.joined(separator: ", ")
                print("\(name.printable)  \(details.styled(.dim))")
            }
        }
    }
}
