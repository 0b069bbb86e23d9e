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
        // A call that closes the collection from now on ends the follower.
        guard !isClosed else { return }
        askForLook()
        for await failure in failures { MainThread.run { onError(failure) } }
    }

    /// Looks at the index soon, on the queue of asynchronous calls.
    private func askForLook(afterMove: Bool = false) {
        guard watcher.isFirstToAsk(afterMove: afterMove) else { return }
        commits.queue.async { [weak self] in self?.look() }
    }

    /// Watches the folders again if they may have moved, and loads.
    ///
    /// The folders are watched before the load, so a change during the load is an event.
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
        // No event reports that a link in the path was replaced, or a volume mounted over it.
        let pause: Duration = !isWatched || canEndWithoutEvent ? .seconds(1) : .seconds(5)
        watcher.retry(after: pause, findingPlace: !isWatched) { [weak self] in self?.askForLook() }
    }

    /// Watches the folders at the place of the index; returns false if that must be tried again.
    private func watchPlace() -> Bool {
        do {
            // Repeated until two searches find the same place, because the folder can move before it is
            // watched.
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
            // The folder is still watched, wherever it is, and so are the folders that were above it.
            return watcher.place != nil
        } catch {
            // The load fails too, and throws the reason.
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
    /// Whether the cause of this error can end without a change of the index's files.
    fileprivate var canEndWithoutEvent: Bool {
        !isDamage && ![.closed, .containerRemoved, .undecodable].contains(self)
    }
}
