import Foundation

/// The bare system calls that the removal of a container needs.
///
/// They look through the container for what another process left unfinished, make durable what it
/// finished there, move the container to a trash folder and replace the index; the bytes of the
/// container are deleted later.
struct BareRemoval {
    private let store: URL
    private let index: [UInt8]

    init(in store: URL, index: [UInt8]) {
        self.store = store
        self.index = index
    }

    /// The seconds until the removal of the folder `name` is on stable storage: a sync for each index
    /// in it, and 6.
    func secondsToRemove(_ name: String) throws -> Double {
        let (folder, trash) = (store.appending(path: name), store.appending(path: ".trash"))
        let own = trash.appending(path: "removal")
        let seconds = try time {
            try SystemCalls.syncFoldersOfIndexes(below: folder)
            for (new, parent) in [(trash, store), (own, trash)] {
                try SystemCalls.makeFolder(new)
                try SystemCalls.sync(parent)
            }
            try SystemCalls.move(folder, to: own.appending(path: name))
            try SystemCalls.sync(own)
            try SystemCalls.sync(store)
            try SystemCalls.save(index, as: "albums.json", in: store)
        }
        try SystemCalls.remove(trash)
        return seconds
    }
}
