import Foundation

/// The bare system calls that a transfer of files between two folders needs.
///
/// They write an intent into a folder of its own on both sides, as an import does, rename the files,
/// replace both indexes and remove the intents. Each of these steps is on stable storage before the
/// next one begins; only the intent of the target may come back, because alone it means nothing.
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

    /// Moves all files from one folder to the other: 15 syncs.
    func run(from source: Int, to target: Int) throws {
        try makeIntent(in: folders[target])
        try makeIntent(in: folders[source])
        for (file, new) in zip(files[source], files[target]) {
            try SystemCalls.move(file, to: new)
        }
        try SystemCalls.sync(assets[target])
        try SystemCalls.sync(assets[source])
        try SystemCalls.save(index, as: "photos.json", in: folders[target])
        try SystemCalls.save(Array("[]\n".utf8), as: "photos.json", in: folders[source])
        try removeIntent(in: folders[source])
        try SystemCalls.sync(folders[source])
        try removeIntent(in: folders[target])
    }

    /// Makes an intent of the size of the index, and makes it durable with the folders that lead to
    /// it: 4 syncs.
    private func makeIntent(in folder: URL) throws {
        let staging = folder.appending(path: ".staging")
        let own = staging.appending(path: "transfer")
        try SystemCalls.makeFolder(staging)
        try SystemCalls.makeFolder(own)
        try SystemCalls.create(own.appending(path: "intent"), index)
        for changed in [own, staging, folder] { try SystemCalls.sync(changed) }
    }

    private func removeIntent(in folder: URL) throws {
        let staging = folder.appending(path: ".staging")
        let own = staging.appending(path: "transfer")
        try SystemCalls.removeFile(own.appending(path: "intent"))
        try SystemCalls.removeFolder(own)
        try SystemCalls.removeFolder(staging)
    }
}
