import Dispatch
import FileSystem
import Foundation
import Synchronization

extension ConsistentCopy {
    /// Puts the copy on stable storage: each file that is not linked, and each folder.
    ///
    /// A file that is linked was synced before it became an asset. Several folders are synced at once,
    /// because such syncs share one commit of the volume's journal.
    func sync(before step: @escaping @Sendable () throws -> Void) throws {
        var files: [CopiedFolder.Path: [FileName]] = [:]
        top.record.addFilesToSync(to: &files, at: [])
        let job = SyncJob(fileSystem: fileSystem, top: top.copy, folders: Array(files), step: step)
        let others = DispatchGroup()
        for _ in 0..<min(7, files.count / 8) {
            others.enter()
            Thread.detachNewThread {
                job.work()
                others.leave()
            }
        }
        job.work()
        others.wait()
        try job.result.get()
    }
}

extension CopiedFolder {
    /// Adds the files of this folder, and of those inside it, that are not linked, by the paths of their
    /// folders from the top of the copy.
    fileprivate func addFilesToSync(to list: inout [Path: [FileName]], at path: Path) {
        for (inner, files) in files {
            list[path + inner] = files.filter { !$0.value.isLinked }.map(\.key)
        }
        list[path, default: []] += journals
        // The folders on the way to others, such as `.trash`, have no files of their own.
        for inner in Array(files.keys) + subfolders.keys {
            for count in 1..<max(1, inner.count) {
                list[path + inner.prefix(count), default: []] += []
            }
        }
        for (inner, record) in subfolders { record.addFilesToSync(to: &list, at: path + inner) }
    }
}

/// The folders of a copy that are to be synced, shared by several threads.
private final class SyncJob: Sendable {
    typealias Folder = (key: CopiedFolder.Path, value: [FileName])

    private let fileSystem: any FileSystem
    private let top: Handle
    private let folders: [Folder]
    private let step: @Sendable () throws -> Void
    private let state = Mutex((next: 0, result: Result<Void, any Error>.success(())))

    init(
        fileSystem: any FileSystem, top: Handle, folders: [Folder],
        step: @escaping @Sendable () throws -> Void
    ) {
        self.fileSystem = fileSystem
        self.top = top
        self.folders = folders
        self.step = step
    }

    var result: Result<Void, any Error> { state.withLock { $0.result } }

    /// Syncs folders until all are done or one has failed.
    func work() {
        while let (path, files) = next() {
            do {
                let folder = try path.reduce(top) { try fileSystem.openFolder($1, in: $0) }
                try fileSystem.syncFiles(files, in: folder, before: step)
                try fileSystem.sync(folder)
            } catch {
                state.withLock { $0.result = .failure(error) }
            }
        }
    }

    private func next() -> Folder? {
        state.withLock { state in
            guard case .success = state.result, state.next < folders.count else { return nil }
            defer { state.next += 1 }
            return folders[state.next]
        }
    }
}
