import Directory
import Foundation

/// One import: copies files into a stage, then inserts them in one commit.
struct Importer {
    let files: [FileToImport]

    /// Imports the files, and returns their photos; Ctrl-C cancels before the commit.
    func run(into photos: Directory<Photo>) throws -> [Photo] {
        let bytes = Progress(totalUnitCount: Int64(FileToImport.byteCount(of: files)))
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
            // Best effort: a stage that stays is removed a day later.
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
