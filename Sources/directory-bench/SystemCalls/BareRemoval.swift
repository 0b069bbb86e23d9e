import Foundation

/// The bare system calls for the removal of a container.
///
/// They replace the index and move the container away, with the fewest syncs that any protocol needs: those of the index.
/// The move needs none, because an index can say what was removed, so that whoever finds the container later moves it. Its
/// bytes are deleted later.
struct BareRemoval {
    private let store: URL
    private let index: [UInt8]

    init(in store: URL, index: [UInt8]) {
        self.store = store
        self.index = index
    }

    /// The seconds until the removal of the folder `name` is on stable storage: 2 syncs.
    func secondsToRemove(_ name: String) throws -> Double {
        let staging = store.appending(path: ".staging")
        let seconds = try time {
            try SystemCalls.save(index, as: "albums.json", in: store)
            try SystemCalls.makeFolder(staging)
            try SystemCalls.move(store.appending(path: name), to: staging.appending(path: name))
        }
        try SystemCalls.remove(staging)
        return seconds
    }
}
