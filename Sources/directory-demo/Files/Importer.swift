import Directory
import Foundation

/// One import: copies files into a collection, all or none.
struct Importer {
    let files: [URL]
    let isQuiet: Bool

    /// Imports the files, and returns their photos; Ctrl-C cancels before the commit.
    func run(into photos: Directory<Photo>) throws -> [Photo] {
        let progress = Progress(totalUnitCount: 0)
        let interrupt = Interrupt { progress.cancel() }
        let bar = ProgressBar(of: progress, fileCount: files.count, isQuiet: isQuiet)
        defer {
            bar.finish()
            interrupt.finish()
        }
        return try photos.insert(copying: files, progress: progress) { staged in
            bar.show(staged.name, byteCount: staged.byteCount)
            return Photo(staged)
        }
    }
}
