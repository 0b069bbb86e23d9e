import Directory
import Foundation

/// One import: copies files into a collection, all or none.
struct Importer {
    let files: [URL]
    let isQuiet: Bool

    /// Imports the files, and returns their photos; Ctrl-C cancels before the commit.
    ///
    /// The files are copied once, however long the commit waits for another process.
    func run(into photos: Directory<Photo>) throws -> [Photo] {
        let (copying, saving) = (Progress(totalUnitCount: 0), Progress(totalUnitCount: 0))
        let interrupt = Interrupt { [copying, saving].forEach { $0.cancel() } }
        let bar = ProgressBar(of: [copying, saving], fileCount: files.count, isQuiet: isQuiet)
        defer {
            bar.finish()
            interrupt.finish()
        }
        let stage = try photos.makeStage()
        // Best effort: recovery removes a stage that stays. After the commit this does nothing.
        defer { try? stage.discard() }
        for staged in try stage.copy(files, progress: copying) {
            bar.show(staged.name, byteCount: staged.byteCount)
        }
        return try waiting(unless: { saving.isCancelled }) {
            try photos.insert(stage, progress: saving)
        }
    }
}
