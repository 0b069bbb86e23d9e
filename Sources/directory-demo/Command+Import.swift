import Directory
import Foundation

extension Command {
    static let importFiles = Command(
        name: "import", operands: "NAME PATH...",
        summary: "Copy files into a project, all or none."
    ) { call in
        let project = try call.store.project(named: call.operands[0])
        let files = try call.operands.dropFirst().flatMap(ImportSource.files)
        guard !files.isEmpty else {
            throw Failure(.operation, "there is nothing to import: no visible files were found")
        }
        let photos = try call.store.open(.photos, of: project)
        let imported = try Importer(files: files).run(into: photos)
        try photos.checkpoint()
        if call.isDefaultStore { Settings().project = project.name }
        let size = imported.reduce(0) { $0 + $1.byteCount }.asBytes
        print("Imported \(imported.count.of("file")), \(size), into \(project.name.styled(.bold))")
    }
}

/// A file to import.
struct ImportSource {
    let url: URL
    let byteCount: Int

    /// The file at `path`, or the visible files in the folder at `path`, by name, depth first.
    ///
    /// What is neither file nor folder comes as well: the import refuses it, with a reason.
    static func files(at path: String) throws -> [ImportSource] {
        guard !path.isEmpty else { throw Failure(.operation, "the path of a file is empty") }
        // A slash at the end would follow a link, which is then taken for an empty folder.
        let name = path.trimmingSuffix("/")
        return try files(at: URL(filePath: name.isEmpty ? "/" : name))
    }

    private static func files(at url: URL) throws -> [ImportSource] {
        // A missing file comes as well, for the same reason.
        let attributes = try? FileManager.default.attributesOfItem(
            atPath: url.path(percentEncoded: false))
        guard attributes?[.type] as? FileAttributeType == .typeDirectory else {
            let byteCount = attributes?[.size] as? NSNumber
            return [ImportSource(url: url, byteCount: byteCount?.intValue ?? 0)]
        }
        return try url.visibleEntries().flatMap(files)
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: Character) -> String {
        String(reversed().drop { $0 == suffix }.reversed())
    }
}

/// One import: stages copies of files, then inserts them together.
struct Importer {
    let files: [ImportSource]

    /// Imports the files; Ctrl-C cancels until they are committed.
    func run(into photos: Directory<Photo>) throws -> [Photo] {
        let bytes = Progress(totalUnitCount: files.reduce(0) { $0 + Int64($1.byteCount) })
        let copied = Progress(totalUnitCount: Int64(files.count))
        let committed = Progress(totalUnitCount: 0)
        let interrupt = Interrupt {
            bytes.cancel()
            committed.cancel()
        }
        let bar = ProgressBar(bytes: bytes, copied: copied, committed: committed)
        let stage = try photos.makeStage()
        defer {
            bar.finish()
            interrupt.finish()
            // Best effort: after a success there is nothing, else it is swept a day later.
            try? stage.discard()
        }
        for file in files {
            let staged = try stage.copy(file.url, progress: bytes)
            copied.completedUnitCount += 1
            bar.show(staged.name, byteCount: staged.byteCount)
        }
        return try photos.insert(stage, progress: committed)
    }
}
