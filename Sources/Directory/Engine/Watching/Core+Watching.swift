import Dispatch
import FileSystem
import Foundation

extension Core {
    /// Follows the changes of other processes until the task is cancelled or the collection is closed.
    func watch(onError: @escaping @Sendable (DirectoryError) -> Void) async {
        guard !Task.isCancelled else { return }
        let (failures, follower) = AsyncStream.makeStream(of: DirectoryError.self)
        let number = watcher.add(follower)
        defer { watcher.remove(number) }
        // Who closes the collection from now on ends the follower.
        guard !isClosed else { return }
        askForLook()
        for await failure in failures { MainThread.run { onError(failure) } }
    }

    /// Looks at the index soon, on the queue of asynchronous calls.
    private func askForLook(afterMove: Bool = false) {
        guard watcher.isFirstToAsk(afterMove: afterMove) else { return }
        commits.queue.async { [weak self] in self?.look() }
    }

    /// Finds out what to watch if that is not known, and loads.
    ///
    /// What changes while it loads is an event, because the folder is watched before that.
    private func look() {
        let (isWanted, isMoved) = watcher.beginLook()
        guard isWanted else { return }
        let isWatched = !isMoved || watchPlace()
        var canEndWithoutEvent = false
        do {
            try load()
            watcher.didLoad(nil)
        } catch let error as DirectoryError {
            canEndWithoutEvent = error.code.canEndWithoutEvent
            if error.code != .closed { watcher.didLoad(error) }
        } catch {
            canEndWithoutEvent = true
        }
        // No event tells that a link in the path leads elsewhere, or that a volume was mounted over it.
        let pause: Duration = !isWatched || canEndWithoutEvent ? .seconds(1) : .seconds(5)
        watcher.retry(after: pause, findingPlace: !isWatched) { [weak self] in self?.askForLook() }
    }

    /// Watches the place where the folder is now; returns false if that has to be tried again.
    private func watchPlace() -> Bool {
        do {
            // Until it is found where it was found before, because it can move before it is watched.
            while case let place = try place, place.key != watcher.place {
                do {
                    let watches = try place.watch { [weak self] in self?.askForLook(afterMove: $0) }
                    guard watcher.watch(place.key, by: watches) else { return true }
                } catch let error as FileSystemError {
                    throw DirectoryError(
                        .unwatchable, "watch", url, "the system gives no events of changes",
                        underlying: error)
                }
            }
            return true
        } catch let error as DirectoryError where error.code == .unwatchable {
            watcher.fail(error)
            return false
        } catch let error as DirectoryError where error.code == .containerRemoved {
            // The folder is still watched, wherever it is, and so are those that were above it.
            return watcher.place != nil
        } catch {
            // The load fails too, and says why.
            return false
        }
    }

    private var place: WatchedPlace {
        get throws {
            if let folder = try openFolder(making: false) { return try WatchedPlace(folder) }
            return try WatchedPlace(
                missing: folderURL.path(percentEncoded: false), on: fileSystem)
        }
    }
}

extension DirectoryError.Code {
    /// Whether what this error tells can end although nothing happens to the files of the index.
    fileprivate var canEndWithoutEvent: Bool {
        ![
            .closed, .containerRemoved, .damagedIndex, .undecodable, .indexConflict,
            .journalDamaged,
        ].contains(self)
    }
}
