import Foundation

/// The bare system calls for the removal of a container.
///
/// They write a record of the removal, move the container away, replace the index, and remove the record. The bytes of the
/// container are deleted later.
struct BareRemoval {
    private let store: URL
    private let index: [UInt8]

    init(in store: URL, index: [UInt8]) {
        self.store = store
        self.index = index
    }

    /// The seconds until the removal of the folder `name` is on stable storage: 9 syncs.
    func secondsToRemove(_ name: String) throws -> Double {
        let (folder, staging) = (store.appending(path: name), store.appending(path: ".staging"))
        let own = staging.appending(path: "removal")
        let seconds = try time {
            try SystemCalls.makeFolder(staging)
            try SystemCalls.makeFolder(own)
            try SystemCalls.create(own.appending(path: "intent"), Array("removal".utf8))
            for folder in [own, staging, store] { try SystemCalls.sync(folder) }
            try SystemCalls.move(folder, to: own.appending(path: "folder-1"))
            try SystemCalls.sync(own)
            try SystemCalls.sync(store)
            try SystemCalls.save(index, as: "albums.json", in: store)
            try SystemCalls.removeFile(own.appending(path: "intent"))
            try SystemCalls.sync(own)
        }
        try SystemCalls.remove(staging)
        return seconds
    }
}
