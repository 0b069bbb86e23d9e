import FileSystem
import Foundation

extension FileSystem {
    /// Makes the new file `name` with `make`; if that fails, the file is removed.
    func makeFile(_ name: FileName, in folder: Handle, _ make: () throws -> Handle) throws {
        do {
            startWriteback(try make())
        } catch {
            // Best effort: the folder is a stage or a temporary folder, and is emptied later.
            try? removeFile(name, in: folder)
            throw error
        }
    }

    /// Makes the new file `name` with the bytes of `data`.
    func makeFile(
        _ name: FileName, in folder: Handle, mode: UInt16, as protection: DataProtection? = nil,
        with data: Data
    ) throws {
        try makeFile(name, in: folder) {
            let file = try openFile(name, in: folder, for: .create(mode: mode))
            if let protection { try protect(file, mode: mode, as: protection) }
            try data.withUnsafeBytes { try write($0, to: file, at: 0) }
            return file
        }
    }
}
