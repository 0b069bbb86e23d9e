import Directory
import Foundation

extension Store {
    /// Prints the visible folders and files of the store; each photo with the name that its file had.
    ///
    /// - Returns: A failure for each project or folder that cannot be read, and each file that cannot be shown.
    func printTree() -> [Failure] {
        let (photos, unread) = forEachProject { try open(.photos, of: $0).items }
        let names = Dictionary(photos.joined().map { ($0.fileName, $0.name) }) { first, _ in first }
        var tree = Tree(names: names, failures: unread)
        print(folder.path(percentEncoded: false).styled(.bold))
        tree.printEntries(of: folder, indent: "")
        return tree.failures
    }
}

/// The lines for the files of a store.
private struct Tree {
    /// The names that photos had, by the names of their files.
    let names: [String: String]
    var failures: [Failure]

    /// Prints the contents of `folder`; each entry that cannot be read or shown becomes a failure.
    mutating func printEntries(of folder: URL, indent: String) {
        do {
            let listing = try FolderListing(of: folder)
            for name in listing.invalidNames {
                let message = "cannot show \(name.escapedPath(in: folder)): \(InvalidName.reason)"
                failures.append(Failure(message))
            }
            for entry in listing.urls {
                let isLast = entry == listing.urls.last
                print("\(indent)\(isLast ? "└── " : "├── ")".styled(.dim), terminator: "")
                printEntry(entry, indent: indent + (isLast ? "    " : "│   "))
            }
        } catch {
            failures.append(Failure(error))
        }
    }

    private mutating func printEntry(_ entry: URL, indent: String) {
        let name = entry.lastPathComponent
        var status = stat()
        guard lstat(entry.path(percentEncoded: false), &status) == 0 else {
            failures.append(.ofSystem("cannot show \(entry.path(percentEncoded: false))"))
            return print(name.printable)
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            print(name.styled(.blue))
            printEntries(of: entry, indent: indent)
        } else {
            let details = [names[name], Int(status.st_size).asBytes].compactMap { $0 }
            print("\(name.printable)  \(details.joined(separator: ", ").styled(.dim))")
        }
    }
}
