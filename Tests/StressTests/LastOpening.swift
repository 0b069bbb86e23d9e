import Directory
import Foundation
import StoreModel

/// What is in a tree after a last opening by the library, as another program sees it.
struct Found {
    struct Item {
        let container: String
        /// The title of a note.
        var title = ""
    }
    /// By the names that they have in the logs.
    var items: [String: Item] = [:]
    var faults: [String] = []
}

/// Opens a tree, so that everything unfinished is recovered, and then reads it without the library.
struct LastOpening {
    let folder: URL

    func inspect() throws -> Found {
        var found = Found()
        do {
            let findings = try open()
            found.faults += findings.map { "verify finds \($0)" }
        } catch {
            found.faults.append("the last opening fails: \(error)")
        }
        try read(folder.appending(path: "projects"), of: "root", ["projects"], &found)
        return found
    }

    private func open() throws -> [Finding] {
        let session = try Session(at: folder)
        try session.forEachCollection { try $0.load() }
        let findings = try session.findings()
        try session.forEachCollection { try $0.checkpoint() }
        return findings
    }
}

extension LastOpening {
    /// Reads the indexes in the folder of `container`, and compares them with the files there.
    ///
    /// A process that was killed while it added the container may have left the file `mark`.
    private func read(
        _ folder: URL, of container: String, mark: String? = nil, _ stems: Set<String>,
        _ found: inout Found
    ) throws {
        var expected = Set([mark].compactMap(\.self))
        for stem in stems {
            expected.formUnion(["\(stem).json", ".\(stem).lock"])
            let url = folder.appending(path: "\(stem).json")
            guard FileManager.default.fileExists(atPath: url.path) else { continue }
            guard
                let elements = try JSONSerialization.jsonObject(with: Data(contentsOf: url))
                    as? [Any]
            else {
                found.faults.append("\(url.path) is not an array")
                continue
            }
            var photos: [String: String] = [:]
            for element in elements {
                let fields = element as? [String: Any] ?? [:]
                guard let name = Self.name(of: fields, in: stem) else {
                    found.faults.append("\(url.path) has an invalid element \(fields)")
                    continue
                }
                if let other = found.items[name] {
                    found.faults.append("\(name) is in \(container) and in \(other.container)")
                }
                found.items[name] = Found.Item(
                    container: container, title: fields["title"] as? String ?? "")
                if stem == "photos" {
                    photos[fields["fileName"] as? String ?? ""] = name
                } else if let folderName = fields["folderName"] as? String {
                    expected.insert(folderName)
                    try readContainer(
                        folder.appending(path: folderName), name, mark: ".\(stem).new", &found)
                }
            }
            if stem == "photos" {
                expected.insert(stem)
                try compare(photos, with: folder.appending(path: stem), &found)
            }
        }
        for entry in try FileManager.default.contentsOfDirectory(atPath: folder.path)
        where !expected.contains(entry) {
            // A crash can leave the folder of a new item with nothing but its mark.
            let url = folder.appending(path: entry)
            let marks = stems.map { ".\($0).new" }
            let inner = try? FileManager.default.contentsOfDirectory(atPath: url.path)
            if entry.hasPrefix(".") || inner?.allSatisfy(marks.contains) != true {
                found.faults.append("left over: \(url.path)")
            }
        }
    }

    private func readContainer(
        _ folder: URL, _ name: String, mark: String, _ found: inout Found
    ) throws {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            return found.faults.append("\(name) has no folder: \(folder.path)")
        }
        try read(folder, of: name, mark: mark, ["notes", "photos", "parts"], &found)
    }

    private static func name(of fields: [String: Any], in stem: String) -> String? {
        switch (stem, fields["id"]) {
        case ("notes", let id as Int): "n\(id)"
        case ("photos", _): fields["name"] as? String
        case (_, let id as Int): "c\(id)"
        default: nil
        }
    }

    /// Checks that `folder` has exactly the files of `photos`, each with the bytes of its photograph.
    private func compare(_ photos: [String: String], with folder: URL, _ found: inout Found)
        throws
    {
        let files =
            FileManager.default.fileExists(atPath: folder.path)
            ? try FileManager.default.contentsOfDirectory(atPath: folder.path) : []
        for name in Set(photos.keys).subtracting(files) {
            found.faults.append("missing: \(folder.path)/\(name)")
        }
        for name in files {
            guard let photo = photos[name] else {
                found.faults.append("no item has \(folder.path)/\(name)")
                continue
            }
            let bytes = try Data(contentsOf: folder.appending(path: name))
            if bytes != Photograph.bytes(of: photo) {
                found.faults.append("wrong bytes: \(folder.path)/\(name)")
            }
        }
    }
}
