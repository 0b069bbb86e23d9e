import Directory
import Foundation

extension Command {
    static let export = Command(
        name: "export", operands: "NAME DIR", summary: "Copy a project's photos and notes to DIR."
    ) { call in
        guard !call.operands[1].isEmpty else {
            throw Failure(.operation, "the path of the folder is empty")
        }
        let project = try call.store.project(named: call.operands[0])
        let photos = try call.store.open(.photos, of: project)
        let notes = try call.store.open(.notes, of: project).items
        // All are looked for before the first is written.
        let files = try photos.items.map { (photo: $0, url: try photos.url(of: $0.id)) }

        let folder = URL(filePath: call.operands[1], directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            let data = try Data(contentsOf: file.url, options: .mappedIfSafe)
            show(try data.write(as: exportName(of: file.photo), in: folder))
        }
        if !notes.isEmpty {
            let lines = notes.map { "\($0.text)\n" }
            show(try Data(lines.joined().utf8).write(as: "notes.txt", in: folder))
        }
        print("Exported \(files.count.of("photo")), \(notes.count.of("note"))")
    }

    private static func show(_ url: URL) {
        print(url.relativePath.styled(.blue))
    }

    /// The name that the file of the photo had, unless that is none that a file can have.
    private static func exportName(of photo: Photo) -> String {
        let isUsable = !["", ".", ".."].contains(photo.name) && !photo.name.contains("/")
        return isUsable ? photo.name : photo.fileName
    }
}

extension Data {
    /// Writes a new file: `moon.png`, or `moon 2.png` and so on while the name is taken.
    ///
    /// - Returns: The file.
    fileprivate func write(as name: String, in folder: URL) throws -> URL {
        let stem = (name as NSString).deletingPathExtension
        let suffix = String(name.dropFirst(stem.count))
        var url = folder.appending(path: name, directoryHint: .notDirectory)
        var number = 1
        while true {
            do {
                try write(to: url, options: .withoutOverwriting)
                return url
            } catch let error as CocoaError where error.code == .fileWriteFileExists {
                number += 1
                url = folder.appending(
                    path: "\(stem) \(number)\(suffix)", directoryHint: .notDirectory)
            }
        }
    }
}
