import Directory
import Foundation

extension History {
    /// Something that was removed, and has no record that brings it back or removes it for good.
    struct Unrecorded {
        let name: String
        let byteCount: Int
        let url: URL
    }

    /// What was left by a command that was killed, or whose record was lost.
    func unrecorded() throws -> [Unrecorded] {
        try load()
        let recorded = Set(steps.items.compactMap(\.keptID))
        let photos = try photos.items.filter { !recorded.contains($0.id) }.compactMap(unrecorded)
        let projects = try projects.items.filter { !recorded.contains($0.id) }.map { project in
            let url = try self.projects.folder(of: project.id)
            return Unrecorded(name: project.name, byteCount: url.byteCount, url: url)
        }
        return photos + projects
    }

    /// A photo that has no record; nil if it came here without its file.
    private func unrecorded(_ photo: Photo) throws -> Unrecorded? {
        do {
            let url = try photos.url(of: photo.id)
            return Unrecorded(name: photo.name, byteCount: photo.byteCount, url: url)
        } catch let error as DirectoryError where error.code == .assetMissing {
            return nil
        }
    }

    /// Renames each index that is damaged, and its journal, so that there is a new one.
    ///
    /// - Parameter show: Called with each file, and its new name.
    /// - Throws: ``Failure`` if a file cannot be renamed.
    func setAsideDamage(_ show: (URL, String) -> Void) throws {
        try setAside(steps, show)
        try setAside(photos, show)
        try setAside(projects, show)
    }

    private func setAside<Item>(
        _ collection: Directory<Item>, _ show: (URL, String) -> Void
    ) throws {
        do {
            try collection.load()
        } catch let error as DirectoryError where error.isDamage {
            let index = collection.url
            let folder = index.deletingLastPathComponent()
            let stem = index.deletingPathExtension().lastPathComponent
            let mark = "damaged-\(UUID().uuidString.prefix(8))"
            for name in [index.lastPathComponent, ".\(stem).journal"] {
                let file = folder.appending(path: name)
                let (old, new) = (file.path(percentEncoded: false), "\(name).\(mark)")
                let newPath = folder.appending(path: new).path(percentEncoded: false)
                if rename(old, newPath) == 0 {
                    show(file, new)
                } else if errno != ENOENT {
                    let reason = String(cString: strerror(errno))
                    throw Failure(.operation, "cannot set \(old) aside: \(reason)")
                }
            }
        }
    }
}

extension URL {
    /// The size of all files in this folder; what cannot be looked at counts nothing.
    fileprivate var byteCount: Int {
        let path = path(percentEncoded: false)
        let manager = FileManager.default
        return (manager.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).reduce(0) {
            let attributes = try? manager.attributesOfItem(atPath: "\(path)/\($1)")
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return $0 }
            return $0 + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
        }
    }
}
