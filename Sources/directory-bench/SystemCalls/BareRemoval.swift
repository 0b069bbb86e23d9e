import Foundation

/// The bare system calls that the removal of a container needs.
///
/// They make a trash folder, move the container there and replace the index; the bytes of the
/// container are deleted later.
struct BareRemoval {
    private let store: URL
    private let index: [UInt8]

    init(in store: URL, index: [UInt8]) {
        self.store = store
        self.index = index
    }

    /// The seconds until the removal of the folder `name` is on stable storage: 5 syncs.
    func secondsToRemove(_ name: String) throws -> Double {
        let (folder, trash) = (store.appending(path: name), store.appending(path: ".trash"))
        let removed = trash.appending(path: name)
        let seconds = try time {
            try SystemCalls.makeFolder(trash)
            try SystemCalls.sync(store)
            try SystemCalls.move(folder, to: removed)
            try SystemCalls.sync(trash)
            try SystemCalls.sync(store)
            try SystemCalls.save(index, as: "albums.json", in: store)
        }
        try SystemCalls.remove(trash)
        return seconds
    }
}
