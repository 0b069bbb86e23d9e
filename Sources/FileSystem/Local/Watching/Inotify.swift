#if !canImport(Darwin)
    import CPosix
    import Synchronization

    /// The watches of this process: one instance of inotify(7), and a thread that waits for its events.
    ///
    /// Both exist only while something is watched. The removal of the last watch is an event too
    /// (IN_IGNORED), which ends the thread.
    final class Inotify: Sendable {
        static let shared = Inotify()

        typealias Changed = @Sendable (FolderWatch.Event) -> Void

        fileprivate struct Watcher {
            let names: Set<FileName>
            let changed: Changed
        }

        fileprivate struct State {
            /// The open instance; nil while nothing is watched.
            var instance: Handle?
            /// The watchers of each folder: by its watch descriptor, then by the number of the watcher.
            var watchers: [Int32: [Int: Watcher]] = [:]
            var lastNumber = 0
        }

        private let state = Mutex(State())

        /// Watches `folder` until the result is released.
        func watch(_ folder: Handle, for names: Set<FileName>, _ changed: @escaping Changed) throws
            -> FolderWatch
        {
            let (watch, number) = try state.withLock { state in
                let instance = try state.instance ?? Self.makeInstance(for: folder)
                let watch = try Self.addWatch(of: folder, hasNames: !names.isEmpty, to: instance)
                state.lastNumber += 1
                state.watchers[watch, default: [:]][state.lastNumber] = Watcher(
                    names: names, changed: changed)
                if state.instance == nil {
                    state.instance = instance
                    startThread { [self] in deliverEvents(of: instance) }
                }
                return (watch, state.lastNumber)
            }
            return FolderWatch { [self] in end(number, of: watch) }
        }

        private func end(_ number: Int, of watch: Int32) {
            state.withLock { state in
                state.watchers[watch]?[number] = nil
                guard state.watchers[watch]?.isEmpty == true, let instance = state.instance else {
                    return
                }
                state.watchers[watch] = nil
                // This fails if the folder was removed. IN_IGNORED is sent in both cases.
                inotify_rm_watch(instance.descriptor, watch)
            }
        }
    }

    extension Inotify {
        private static func makeInstance(for folder: Handle) throws -> Handle {
            // IN_CLOEXEC has the value of O_CLOEXEC: inotify_init(2).
            let descriptor = inotify_init1(O_CLOEXEC)
            guard descriptor != -1 else { throw FileSystemError("watch", folder.path, .last) }
            return Handle(descriptor: descriptor, path: "inotify") { descriptor, _ in
                close(descriptor)
            }
        }

        /// Adds a watch of an open folder, at any path.
        ///
        /// A watch that the folder has already gets the events of both (IN_MASK_ADD).
        private static func addWatch(of folder: Handle, hasNames: Bool, to instance: Handle) throws
            -> Int32
        {
            let entries =
                IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
            let itself = IN_DELETE_SELF | IN_MOVE_SELF
            let mask = UInt32(itself | (hasNames ? entries : 0)) | UInt32(IN_ONLYDIR)
            let watch = inotify_add_watch(
                instance.descriptor, "/proc/self/fd/\(folder.descriptor)",
                mask | UInt32(IN_MASK_ADD))
            guard watch != -1 else { throw FileSystemError("watch", folder.path, .last) }
            return watch
        }
    }

    extension Inotify {
        /// Waits for events and calls the watchers, until nothing is watched.
        private func deliverEvents(of instance: Handle) {
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: 16_384, alignment: MemoryLayout<inotify_event>.alignment)
            defer { buffer.deallocate() }
            while true {
                let count = read(instance.descriptor, buffer.baseAddress, buffer.count)
                if count == -1, posix_errno() == EINTR { continue }
                let events =
                    count > 0
                    ? Event.all(in: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                    : [Event.unknown]
                let (calls, isOver) = state.withLock { state in
                    let calls = events.flatMap { state.calls(for: $0) }
                    // Else a permanent failure would be reported for ever.
                    if count <= 0 { state.watchers = [:] }
                    if state.watchers.isEmpty { state.instance = nil }
                    return (calls, state.watchers.isEmpty)
                }
                for call in calls { call() }
                if isOver { return }
            }
        }

        fileprivate struct Event {
            let watch: Int32
            let mask: Int32
            let name: FileName?

            /// Stands for events that were lost: anything may have happened.
            static let unknown = Event(watch: -1, mask: IN_Q_OVERFLOW, name: nil)

            static func all(in bytes: UnsafeRawBufferPointer) -> [Event] {
                var events: [Event] = []
                var offset = 0
                while offset < bytes.count {
                    let head = bytes.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
                    let start = offset + MemoryLayout<inotify_event>.size
                    offset = start + Int(head.len)
                    // The name is padded with NUL bytes.
                    let name = bytes[start..<offset].prefix { $0 != 0 }
                    events.append(
                        Event(
                            watch: head.wd, mask: Int32(truncatingIfNeeded: head.mask),
                            name: FileName(bytes: Array(name))))
                }
                return events
            }
        }
    }

    extension Inotify.State {
        /// The closures to call for `event`; forgets the folder if its watch has ended (IN_IGNORED).
        fileprivate mutating func calls(for event: Inotify.Event) -> [@Sendable () -> Void] {
            if event.mask & IN_Q_OVERFLOW != 0 {
                return watchers.values.flatMap(\.values).map { watcher in
                    { watcher.changed(.folder) }
                }
            }
            let found = watchers[event.watch]?.values
            defer { if event.mask & IN_IGNORED != 0 { watchers[event.watch] = nil } }
            guard let name = event.name else {
                return found?.map { watcher in { watcher.changed(.folder) } } ?? []
            }
            return found?.filter { $0.names.contains(name) }
                .map { watcher in { watcher.changed(.entry) } } ?? []
        }
    }
#endif
