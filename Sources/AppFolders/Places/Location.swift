import Foundation

/// The location of a folder: a root, a folder of the system in it, and the names below that folder.
///
/// Only this library creates locations; ``Place/url`` is the URL of one.
public struct Location: Hashable, Sendable {
    let root: FolderRoot
    let place: SystemPlace
    private(set) var names: [FolderName] = []

    init(root: FolderRoot, place: SystemPlace) {
        self.root = root
        self.place = place
    }

    func appending(_ name: String) -> Location {
        var child = self
        child.names.append(FolderName(name, in: self))
        return child
    }

    var url: URL {
        names.reduce(root.url(of: place)) {
            $0.appending(component: $1.component, directoryHint: .isDirectory)
        }
    }

    var subpath: String {
        ([place.subpath] + names.map(\.component)).joined(separator: "/")
    }

    /// Whether other programs keep files directly in this folder.
    var isShared: Bool { names.isEmpty && root.isShared }
}

extension Location {
    /// Throws unless every name is valid.
    func check(_ operation: String) throws {
        for name in names {
            switch name.problem {
            case nil: continue
            case .invalid:
                throw AppFolderError(
                    .invalidName, at: url, givenName: name.text,
                    "Cannot \(operation) \(url.filePath): "
                        + "\(name.text.debugDescription) is not a file name; use one of 1 to 255 "
                        + "bytes, without slash or NUL, other than \".\" and \"..\".")
            case .reserved:
                throw AppFolderError(
                    .reservedName, at: url, givenName: name.text,
                    "Cannot \(operation) \(url.filePath): "
                        + "\(name.text.debugDescription) is a folder of the system; "
                        + "use its property of AppFolder, or another name.")
            }
        }
    }

    /// Throws if other programs keep files directly in this folder.
    func checkNotShared(_ operation: String) throws {
        guard isShared else { return }
        throw AppFolderError(
            .shared, at: url,
            "Cannot \(operation) \(url.filePath): "
                + "other programs keep files in it too; use your own folder inside it.")
    }
}

extension URL {
    /// The path without percent encoding.
    var filePath: String { path(percentEncoded: false) }
}
