import FileSystem
import Foundation

extension IndexFolder {
    /// Excludes the folder from backups.
    func excludeFromBackup() throws {
        #if canImport(Darwin)
            // A folder in memory has no file that could be marked.
            guard store.volume == nil else { return }
            var url = url
            var values = URLResourceValues()
            values.isExcludedFromBackup = true
            try url.setResourceValues(values)
        #else
            let tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
            let access = FileAccess.openOrCreate(mode: options.filePermissions)
            let file = try fileSystem.openFile("CACHEDIR.TAG", in: handle, for: access)
            try fileSystem.write(Array(tag.utf8), to: file, at: 0)
        #endif
    }
}
