import Foundation

/// The bare system calls for a copy of a collection, without clones.
///
/// They copy the files into a new folder, sync them, write the index, sync both folders, and give the new
/// folder its name.
struct BareCopy {
    private let names: [String]
    private let index: [UInt8]
    private let store: URL

    init(of names: [String], index: [UInt8], in store: URL) {
        self.names = names
        self.index = index
        self.store = store
    }

    /// Makes the copy at `url`: a sync for each file, and 4.
    func run(to url: URL) throws {
        let parent = url.deletingLastPathComponent()
        let temporary = parent.appending(path: ".temporary")
        let (source, target) = (
            store.appending(path: "photos"), temporary.appending(path: "photos")
        )
        try SystemCalls.makeFolder(temporary)
        try SystemCalls.makeFolder(target)
        for name in names {
            try SystemCalls.copy(source.appending(path: name), to: target.appending(path: name))
        }
        for name in names { try SystemCalls.sync(target.appending(path: name)) }
        try SystemCalls.sync(target)
        try SystemCalls.create(temporary.appending(path: "photos.json"), index)
        try SystemCalls.sync(temporary)
        try SystemCalls.move(temporary, to: url)
        try SystemCalls.sync(parent)
    }
}
