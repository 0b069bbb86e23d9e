import Foundation

/// The bare system calls for a change of two indexes in two folders, with the files that move between the folders.
///
/// They write a record of the change to a new folder on both sides, rename the files, replace both indexes and remove
/// both records. Each of these steps is on stable storage before the next one begins, except the last: after a power
/// loss the record of the target may exist again, because without the record of the source it means nothing.
struct BareTreeWrite {
    private let folders: [URL]
    private let assets: [URL]
    /// For each of the two folders, the URLs that the files have there.
    private let files: [[URL]]
    private let index: [UInt8]

    /// Makes the two folders in `scratch`, the first with all files; `index` is the bytes that each index gets.
    init(moving names: [String] = [], index: [UInt8], in scratch: Scratch) throws {
        folders = try ["0", "1"].map(scratch.makeFolder)
        assets = try names.isEmpty ? [] : ["0/photos", "1/photos"].map(scratch.makeFolder)
        files = assets.map { folder in names.map { folder.appending(path: $0) } }
        self.index = index
        for file in files.first ?? [] {
            try SystemCalls.create(file, Array(file.lastPathComponent.utf8))
        }
    }

    /// Changes both indexes, and moves all files from one folder to the other: 13 syncs, or 15 with files.
    func run(from source: Int, to target: Int) throws {
        try writeDown(in: folders[target])
        try writeDown(in: folders[source])
        if !files.isEmpty {
            for (file, new) in zip(files[source], files[target]) {
                try SystemCalls.move(file, to: new)
            }
            try SystemCalls.sync(assets[target])
            try SystemCalls.sync(assets[source])
        }
        try SystemCalls.save(index, as: "items.json", in: folders[target])
        let rest = files.isEmpty ? index : Array("[]\n".utf8)
        try SystemCalls.save(rest, as: "items.json", in: folders[source])
        try removeWrittenDown(in: folders[source], durably: true)
        try removeWrittenDown(in: folders[target], durably: false)
    }

    /// Writes a record of the size of the index, and makes it durable with the folders that lead to it: 4 syncs.
    private func writeDown(in folder: URL) throws {
        let staging = folder.appending(path: ".staging")
        let own = staging.appending(path: "write")
        try SystemCalls.makeFolder(staging)
        try SystemCalls.makeFolder(own)
        try SystemCalls.create(own.appending(path: "tree"), index)
        for changed in [own, staging, folder] { try SystemCalls.sync(changed) }
    }

    private func removeWrittenDown(in folder: URL, durably: Bool) throws {
        let staging = folder.appending(path: ".staging")
        let own = staging.appending(path: "write")
        try SystemCalls.removeFile(own.appending(path: "tree"))
        if durably { try SystemCalls.sync(own) }
        try SystemCalls.removeFolder(own)
        try SystemCalls.removeFolder(staging)
    }
}
