import Foundation

/// The bare system calls that a transfer of files between two folders needs.
///
/// They write an intent into both folders, rename the files, replace both indexes and remove the
/// intents. Each of these steps is on stable storage before the next one begins.
struct BareTransfer {
    private let folders: [URL]
    private let assets: [URL]
    /// For each of the two folders, the files as they are called there.
    private let files: [[URL]]
    private let index: [UInt8]

    /// Makes the two folders in `scratch`, the first with all files.
    init(of names: [String], index: [UInt8], in scratch: Scratch) throws {
        folders = try ["0", "1"].map(scratch.makeFolder)
        assets = try ["0/photos", "1/photos"].map(scratch.makeFolder)
        files = assets.map { folder in names.map { folder.appending(path: $0) } }
        self.index = index
        for file in files[0] { try SystemCalls.create(file, Array(file.lastPathComponent.utf8)) }
    }

    /// Moves all files from one folder to the other: 12 syncs.
    func run(from source: Int, to target: Int) throws {
        let intents = [source, target].map { folders[$0].appending(path: ".intent") }
        for (intent, folder) in zip(intents, [source, target]) {
            try SystemCalls.create(intent, index)
            try SystemCalls.sync(folders[folder])
        }
        for (file, new) in zip(files[source], files[target]) {
            try SystemCalls.move(file, to: new)
        }
        try SystemCalls.sync(assets[target])
        try SystemCalls.sync(assets[source])
        try SystemCalls.save(index, as: "photos.json", in: folders[target])
        try SystemCalls.save(Array("[]\n".utf8), as: "photos.json", in: folders[source])
        for (intent, folder) in zip(intents, [source, target]) {
            try SystemCalls.removeFile(intent)
            try SystemCalls.sync(folders[folder])
        }
    }
}
