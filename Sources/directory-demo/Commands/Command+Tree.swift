import Directory
import Foundation

extension Command {
    static let tree = Command("tree", "", "Show the store's folders and files.") { call in
        try Failure.check(call.store.printTree())
    }
}

extension Store {
    /// Prints the visible folders and files of the store; each photo with the name that its file had.
    ///
    /// - Returns: A failure for each project or folder that cannot be read.
    func printTree() -> [Failure] {
        let (photos, failures) = forEachProject { try open(.photos, of: $0).items }
        let names = Dictionary(photos.joined().map { ($0.fileName, $0.name) }) { first, _ in first }
        print(folder.path(percentEncoded: false).styled(.bold))
        return failures + Self.printContents(of: folder, names, indent: "")
    }

    private static func printContents(
        of folder: URL, _ names: [String: String], indent: String
    ) -> [Failure] {
        do {
            let entries = try folder.visibleContents()
            return entries.flatMap { entry -> [Failure] in
                let isLast = entry == entries.last
                let name = entry.lastPathComponent
                let status = entry.status
                print("\(indent)\(isLast ? "└── " : "├── ")".styled(.dim), terminator: "")
                if let status, status.st_mode & S_IFMT == S_IFDIR {
                    print(name.styled(.blue))
                    return printContents(
                        of: entry, names, indent: indent + (isLast ? "    " : "│   "))
                }
                let details = [names[name], status.map { Int($0.st_size).asBytes }]
                    .compactMap(\.self).joined(separator: ", ")
                print("\(name.printable)  \(details.styled(.dim))")
                return []
            }
        } catch {
            return [Failure(error)]
        }
    }
}
