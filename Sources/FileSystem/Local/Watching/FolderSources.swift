#if canImport(Darwin)
    import CPosix
    import Dispatch
    import Synchronization

    /// The event sources of a folder and of files in it.
    ///
    /// The source of the folder reports that entries were made or removed, but not that a file was written
    /// to, so each file has a source too (`DispatchSource.FileSystemEvent`, kqueue(2) under EVFILT_VNODE).
    /// All handlers run on one queue.
    final class FolderSources: Sendable {
        private struct Source {
            let identity: FileIdentity
            let source: any DispatchSourceFileSystemObject
        }

        private struct State {
            var folder: (any DispatchSourceFileSystemObject)?
            var files: [FileName: Source] = [:]
            var isCancelled = false
        }

        private let folder: Handle
        private let names: Set<FileName>
        private let fileSystem: LocalFileSystem
        private let changed: @Sendable (FolderWatch.Event) -> Void
        private let queue = DispatchQueue(label: "Directory.watch")
        private let state = Mutex(State())

        init(
            _ folder: Handle, _ names: Set<FileName>, on fileSystem: LocalFileSystem,
            _ changed: @escaping @Sendable (FolderWatch.Event) -> Void
        ) throws {
            self.folder = try fileSystem.openForEvents(".", in: folder, folder.path)
            self.names = names
            self.fileSystem = fileSystem
            self.changed = changed
            let moves: DispatchSource.FileSystemEvent = [.delete, .rename, .revoke]
            let source = makeSource(self.folder, names.isEmpty ? moves : moves.union(.write)) {
                [weak self] events in self?.folderChanged(events)
            }
            state.withLock { $0.folder = source }
            do {
                _ = try queue.sync { try followFiles() }
            } catch {
                cancel()
                throw error
            }
        }

        /// Cancels all sources; the queue then closes their files.
        func cancel() {
            let sources = state.withLock { state in
                state.isCancelled = true
                defer { (state.folder, state.files) = (nil, [:]) }
                return [state.folder].compactMap { $0 } + state.files.values.map(\.source)
            }
            for source in sources { source.cancel() }
        }

        private func folderChanged(_ events: DispatchSource.FileSystemEvent) {
            do {
                if try followFiles() { changed(.entry) }
                if !events.isDisjoint(with: [.delete, .rename, .revoke]) { changed(.folder) }
            } catch {
                // The watcher then watches anew, and that call throws the reason.
                changed(.folder)
            }
        }

        /// Makes a source for each file that is new under its name; returns whether a name has another file.
        private func followFiles() throws -> Bool {
            var isChanged = false
            for name in names {
                let file = try fileSystem.unlessMissing {
                    try fileSystem.openForEvents(name.cString, in: folder, folder.path(of: name))
                }
                let identity = try file.map { try fileSystem.status(of: $0).identity }
                let old = state.withLock { $0.files[name] }
                if old?.identity == identity { continue }
                isChanged = true
                let source = file.map { file in
                    makeSource(file, [.delete, .rename, .revoke, .write, .extend]) {
                        [weak self] _ in self?.changed(.entry)
                    }
                }
                let isCancelled = state.withLock { state in
                    state.files[name] = nil
                    if !state.isCancelled, let identity, let source {
                        state.files[name] = Source(identity: identity, source: source)
                    }
                    return state.isCancelled
                }
                old?.source.cancel()
                if isCancelled { source?.cancel() }
            }
            return isChanged
        }

        /// A source that keeps the file open until it is cancelled.
        private func makeSource(
            _ file: Handle, _ events: DispatchSource.FileSystemEvent,
            _ handler: @escaping @Sendable (DispatchSource.FileSystemEvent) -> Void
        ) -> any DispatchSourceFileSystemObject {
            let source = DispatchSource.makeFileSystemObjectSource(
                fileDescriptor: file.descriptor, eventMask: events, queue: queue)
            source.setEventHandler { [weak source] in source.map { handler($0.data) } }
            source.setCancelHandler { withExtendedLifetime(file) {} }
            source.activate()
            return source
        }
    }

    extension LocalFileSystem {
        /// Opens a file or folder for its events alone, so that its volume can be unmounted: open(2)
        /// with O_EVTONLY.
        fileprivate func openForEvents(
            _ name: UnsafePointer<CChar>, in folder: Handle, _ path: String
        ) throws -> Handle {
            let descriptor = try call("watch", path) {
                posix_open_at(
                    folder.descriptor, name, O_EVTONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0)
            }
            return Handle(descriptor: descriptor, path: path) { descriptor, _ in close(descriptor) }
        }
    }
#endif
