import FileSystem

/// Opens the folders below a folder one after the other, in any order.
///
/// At most two folders are open between two calls, however deep the folders are nested, and no path of
/// the system is longer than one name.
struct FolderWalk {
    typealias Path = FolderPath

    let fileSystem: any FileSystem
    let root: Handle
    /// The folder that was opened last: most folders are opened right after their parent.
    private var last: (path: Path, handle: Handle)?

    init(_ root: Handle, on fileSystem: any FileSystem) {
        (self.root, self.fileSystem) = (root, fileSystem)
    }

    /// Opens the folder at `path`; nil if it is missing, or something else than a folder.
    mutating func open(_ path: Path) throws -> Handle? {
        let found: Handle?
        if let last, let name = path.last, last.path.elementsEqual(path.dropLast()) {
            found = try fileSystem.openFolder([name], in: last.handle)
        } else {
            found = try fileSystem.openFolder(path, in: root)
        }
        last = found.map { (path, $0) }
        return found
    }

    /// Forgets the folder that was opened last, so that the next one is opened from the root on.
    mutating func forgetLast() { last = nil }
}

extension FileSystem {
    /// The size of all files below `folder`, at any depth; files that are removed meanwhile do not count.
    func byteCount(below folder: Handle) throws -> Int {
        var walk = FolderWalk(folder, on: self)
        var paths: [FolderWalk.Path] = [[]]
        var sum = 0
        while let path = paths.popLast() {
            guard let inner = try walk.open(path) else { continue }
            for name in try unlessMissing({ try list(inner) }) ?? [] {
                guard let found = try status(of: name, in: inner) else { continue }
                switch found.kind {
                case .folder: paths.append(path + [name])
                case .file: sum += found.size
                case .symbolicLink, .other: break
                }
            }
        }
        return sum
    }
}
