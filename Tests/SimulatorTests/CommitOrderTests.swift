import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// In which order each operation changes and syncs files.
///
/// `Fixtures/commit-orders.txt` has the orders, which a new design of the engine must keep unless it says why not: the
/// simulator proves that they lose nothing, and syncs that are not needed cost time. `ORDERS=write swift test --filter
/// CommitOrderTests` writes it anew; the difference is to be read.
struct CommitOrderTests {
    private static let file = Fixtures.url.appending(path: "commit-orders.txt")
    private static let writes = ProcessInfo.processInfo.environment["ORDERS"] == "write"

    private static let workloads = CommitMode.allCases.flatMap { mode in
        let undone: [[StoreOperation]] = [
            [.renameBox, .undo], [.removeBox, .undo], [.importTwoPhotos, .undo],
            [.writeFullBox, .undo, .redo],
        ]
        let singles = StoreOperation.allCases.filter { $0 != .undo && $0 != .redo }.map { [$0] }
        // The others differ only in how lines are written.
        let few: [[StoreOperation]] = [[.insertNote], [.importTwoPhotos], [.writeBoxAndNote]]
        return ([.rewrite, .journal].contains(mode) ? singles + undone : few).map {
            Workload(mode, $0)
        }
    }

    @Test(.enabled(if: writes)) func ordersAreWritten() throws {
        let text = try Self.workloads.map { workload in
            "\(workload)\n" + (try Self.order(of: workload)).map { "  \($0)\n" }.joined()
        }
        try Data(text.joined().utf8).write(to: Self.file)
    }

    @Test(.enabled(if: !writes)) func eachWorkloadHasAnOrder() throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        #expect(lines.filter { !$0.hasPrefix(" ") } == Self.workloads.map { $0.description[...] })
    }

    @Test(.enabled(if: !writes), arguments: Sweep.cases(workloads, sample: 6))
    func orderIsAsRecorded(_ workload: Workload) throws {
        let lines = try String(contentsOf: Self.file, encoding: .utf8).split(separator: "\n")
        let start = try #require(lines.firstIndex { $0 == workload.description }) + 1
        let expected = lines[start...].prefix { $0.hasPrefix("  ") }.map { $0.dropFirst(2) }
        let order = try Self.order(of: workload)
        #expect(order.map { $0[...] }.difference(from: expected).isEmpty, "\(workload)")
    }

    /// The changes and syncs of the last operation, then those of the work that it leaves to the background.
    private static func order(of workload: Workload) throws -> [String] {
        let disk = RecordedDisk(try Tree.large.disk(workload.mode))
        let store = try Session(on: disk, workload.mode, undoLimit: workload.undoLimit)
        _ = try store.tree()
        var tree = Tree.large
        var begin = 0
        for operation in workload.operations {
            begin = disk.events.count
            tree = try disk.record(operation, in: store, holding: tree)
        }
        var paths = DiskPaths(disk.start)
        let events = withExtendedLifetime(store) { disk.events }
        var order: [String] = []
        var syncs: [String] = []
        for (number, event) in events.enumerated() {
            let line = paths.line(for: event)
            guard number >= begin else { continue }
            let isOfSameFolder = folder(of: line) == syncs.first.map(folder)
            if case .sync = event, syncs.isEmpty || isOfSameFolder {
                // The files of one folder are synced side by side, in any order.
                syncs.append(line)
                continue
            }
            order += syncs.sorted()
            syncs = []
            if case .sync = event {
                syncs = [line]
            } else if order.last != line {
                order.append(line)
            }
        }
        order += syncs.sorted()
        guard workload.operations.last == .writePhotosAndRemoval else { return order }
        // The works that it leaves to the background of two collections go on side by side.
        let end = (order.lastIndex(of: "acknowledged") ?? order.count - 1) + 1
        return order[..<end] + order[end...].sorted()
    }

    private static func folder(of line: String) -> Substring {
        line.lastIndex(of: "/").map { line[..<$0] } ?? ""
    }
}

/// The paths of the files and folders on a disk, as events change them.
private struct DiskPaths {
    private var paths: [UInt64: String] = [:]
    /// Random names, in the order in which they are met.
    private var names: [String] = []

    init(_ image: MemoryFileSystem.Image) {
        let disk = MemoryFileSystem(image)
        func add(_ folder: Handle, _ path: String) throws {
            paths[try disk.status(of: folder).identity.inode] = path
            for name in try disk.list(folder) {
                guard let status = try disk.status(of: name, in: folder) else { continue }
                paths[status.identity.inode] = "\(path)/\(name)"
                if status.kind == .folder {
                    try add(disk.openFolder(name, in: folder), "\(path)/\(name)")
                }
            }
        }
        do { try add(disk.openFolder(at: "/"), "") } catch { Issue.record(error) }
    }

    /// What happened, in words; writes to one file after each other are the same.
    mutating func line(for event: RecordedDisk.Event) -> String {
        let text =
            switch event {
            case .unit(.write(let inode, _, _)): "write \(path(inode))"
            case .unit(.truncation(let inode, _)): "truncate \(path(inode))"
            case .failedSync(let inode): "fail to sync \(path(inode))"
            case .sync(let inode): "sync \(path(inode))"
            case .acknowledged: "acknowledged"
            case .unit(.entries(let entries)): line(for: entries)
            }
        let uuid = /[0-9A-F]{8}-[0-9A-F-]{27}/
        return text.replacing(/owner\.[^\/]+/, with: "owner").replacing(uuid, with: "<name>")
            .replacing(/[0-9a-f]{32}/) { match in
                let name = String(match.output)
                if !names.contains(name) { names.append(name) }
                return "<\((names.firstIndex(of: name) ?? 0) + 1)>"
            }.replacing("/store/", with: "/")
    }

    private mutating func line(for entries: [RecordedDisk.Entry]) -> String {
        var removed: [UInt64: String] = [:]
        for entry in entries where entry.isRemoval {
            removed[entry.inode] = "\(path(entry.folder))/\(entry.name)"
        }
        return entries.filter { !$0.isRemoval || entries.count == 1 }.map { entry in
            let path = "\(path(entry.folder))/\(entry.name)"
            if entry.isRemoval { return "remove \(path)" }
            let old = paths.updateValue(path, forKey: entry.inode)
            if let old, entry.isFolder {
                for (inode, inner) in paths where inner.hasPrefix("\(old)/") {
                    paths[inode] = path + inner.dropFirst(old.count)
                }
            }
            return removed[entry.inode].map { "rename \($0) to \(path)" } ?? "make \(path)"
        }.joined(separator: ", ")
    }

    private func path(_ inode: UInt64) -> String { paths[inode] ?? "?" }
}
