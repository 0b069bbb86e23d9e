import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport

@testable import Directory

extension GoldenStore {
    /// Makes a store in processes that are killed.
    struct Maker {
        let url: URL
        private(set) var expected: [String: any Encodable] = [:]

        init(url: URL) { self.url = url }

        private func open(on process: ProcessFileSystem, isJournaled: Bool) throws -> Directory<
            Note
        > {
            var options = DirectoryOptions()
            if isJournaled { options.journalThreshold = 0 }
            return try Directory(at: url, index: "notes.json", options: options, on: process)
        }

        /// Makes a store of notes in a process that is killed afterwards.
        mutating func notes(isJournaled: Bool = false, _ body: (Directory<Note>) throws -> Void)
            throws
        {
            let process = ProcessFileSystem(LocalFileSystem())
            let notes = try open(on: process, isJournaled: isJournaled)
            try body(notes)
            expected["notes.json"] = Array(notes.items)
            withExtendedLifetime(notes) { process.kill() }
        }

        mutating func checkpoint(killedAt call: String, suffix: String) throws {
            try notes(isJournaled: true) { notes in
                try notes.append(contentsOf: [Note(id: 9, title: "First")])
                try GoldenStore.writeChanges(notes)
            }
            try? open(on: dying(at: call, suffix), isJournaled: true).checkpoint()
        }

        /// A process that is killed before a call that begins and ends like this, `after` so many of them; calls that
        /// end with `failing` fail.
        private func dying(
            at call: String, _ suffix: String, after count: Int = 0,
            failingAt failing: String? = nil
        ) -> ProcessFileSystem {
            let rest = Mutex(count)
            return ProcessFileSystem(LocalFileSystem()) { _, line in
                if let failing, line.hasSuffix(failing) { return .fails(.ioError) }
                guard line.hasPrefix(call), line.hasSuffix(suffix) else { return .works }
                return rest.withLock { rest in
                    rest -= 1
                    return rest < 0 ? .killed : .works
                }
            }
        }

        mutating func torn() throws {
            try notes(isJournaled: true) { notes in
                try notes.append(Note(id: 9, title: "First"))
                try GoldenStore.writeChanges(notes)
            }
            let journal = url.appending(path: ".notes.journal")
            let whole = try lengthOfRecords(in: journal)
            let process = ProcessFileSystem(LocalFileSystem())
            let notes = try open(on: process, isJournaled: true)
            try notes.append(Note(id: 10, title: "This commit was torn"))
            withExtendedLifetime(notes) { process.kill() }
            let middle = try (whole + lengthOfRecords(in: journal)) / 2
            try Data(contentsOf: journal).prefix(middle).write(to: journal)
        }

        /// The length of a journal without the padding for records to come.
        private func lengthOfRecords(in journal: URL) throws -> Int {
            Journal.end(of: Array(try Data(contentsOf: journal)))
        }

        /// Makes a store of three projects, which `body` changes in a process that may be killed.
        mutating func projects(
            on process: ProcessFileSystem = ProcessFileSystem(LocalFileSystem()),
            _ body: (Directory<Project>) throws -> Void
        ) throws {
            let first = try Directory<Project>(at: url, index: "projects.json")
            for title in ["Apollo", "Gemini", "Mercury"] {
                let project = Project(title: title)
                try first.append(project)
                let notes = try first.child(.notes, of: project.id)
                try notes.append(Note(id: 1, title: "About \(title)"))
                guard title != "Mercury" else { continue }
                let photos = try first.child(.photos, of: project.id)
                try photos.insert(Data("the first photo of \(title)".utf8), name: "one.jpg")
                try photos.insert(Data("the second photo of \(title)".utf8), name: "zwei ☕️.png")
            }
            let projects = try Directory<Project>(at: url, index: "projects.json", on: process)
            try projects.load()
            try? body(projects)
            withExtendedLifetime(projects) { process.kill() }
        }

        mutating func change(killedAt call: String, suffix: String) throws {
            try projects(on: dying(at: call, suffix)) { projects in
                try Self.change(projects)
                try projects.checkpoint()
            }
        }

        /// Gives two projects each other's names.
        mutating func swap(killedAt call: String, suffix: String) throws {
            try projects(on: dying(at: call, suffix)) { projects in
                try projects.write { draft in
                    let (apollo, gemini) = (draft.items[0], draft.items[1])
                    try draft.update(id: apollo.id) { $0.title = gemini.title }
                    try draft.update(id: gemini.id) { $0.title = apollo.title }
                }
            }
        }

        /// Removes Gemini, and adds another project with this name and a note.
        mutating func replacement(killedAt suffix: String) throws {
            try projects(on: dying(at: "rename", suffix)) { projects in
                try projects.write { draft in
                    try draft.remove(id: draft.items[1].id)
                    let other = Project(title: "Gemini")
                    try draft.append(other)
                    try draft.write(.notes, of: other.id) { notes in
                        try notes.append(Note(id: 1, title: "About another Gemini"))
                    }
                }
            }
        }

        /// Removes Gemini, and gives its name to Apollo.
        mutating func succession(killedAt suffix: String) throws {
            try projects(on: dying(at: "rename", suffix)) { projects in
                try projects.write { draft in
                    try draft.remove(id: draft.items[1].id)
                    try draft.update(id: draft.items[0].id) { $0.title = "Gemini" }
                }
            }
        }

        /// Moves Gemini to the projects of Mercury, which has one called Vostok.
        mutating func folderTransfer(killedAt call: String, suffix: String, after count: Int = 0)
            throws
        {
            try projects { _ in }
            let folder = url.appending(path: GoldenStore.others)
            let vostok = Project(title: "Vostok")
            let others = try Directory<Project>(at: folder, index: "projects.json")
            try others.append(vostok)
            try others.child(.notes, of: vostok.id).append(Note(id: 1, title: "About Vostok"))
            let process = dying(at: call, suffix, after: count)
            let (source, target) = try (
                Directory<Project>(at: url, index: "projects.json", on: process),
                Directory<Project>(at: folder, index: "projects.json", on: process)
            )
            try source.load()
            try? source.transfer([source.items[1].id], to: target)
            withExtendedLifetime((source, target)) { process.kill() }
        }

        /// Imports a photo, and replaces the file of another.
        mutating func photos(killedAt call: String, suffix: String) throws {
            try projects(on: dying(at: call, suffix)) { projects in
                let photos = try projects.child(.photos, of: projects.items[0].id)
                try photos.load()
                let stage = try photos.makeStage()
                let new = try stage.write(Data("a third photo".utf8), name: "three.jpg")
                let better = try stage.write(Data("a better photo".utf8), name: "better.png")
                try photos.write(importing: stage) { draft, _ in
                    try draft.append(Photo(new), file: new)
                    var changed = draft.items[1]
                    changed.replaceFile(by: better)
                    try draft.update(changed, file: better)
                }
            }
        }

        /// Removes a project, and undoes that.
        mutating func undo(killedAt call: String, suffix: String, after count: Int = 0) throws {
            try projects { _ in }
            let projects = try Directory<Project>(
                at: url, index: "projects.json", options: DirectoryOptions(undoLimit: 1),
                on: dying(at: call, suffix, after: count))
            try projects.load()
            try projects.remove(id: projects.items[1].id)
            _ = try? projects.undo()
        }

        /// Brings back what `removed()` removes.
        mutating func bringBack(killedAt call: String, suffix: String) throws {
            try removed()
            let projects = try Directory<Project>(
                at: url, index: "projects.json", on: dying(at: call, suffix))
            _ = try? projects.bring(back: projects.recentlyRemoved().map(\.id))
        }

        /// Renames a project, changes its notes, and adds one that comes with notes.
        mutating func tree(killedAt call: String, suffix: String, after count: Int = 0) throws {
            try projects(on: dying(at: call, suffix, after: count)) { projects in
                try projects.write { draft in
                    let (apollo, gemini) = (draft.items[0].id, draft.items[1].id)
                    try draft.update(id: apollo) { $0.title = "Artemis" }
                    for (id, title) in [(apollo, "Renamed"), (gemini, "Docked")] {
                        try draft.write(.notes, of: id) { notes in
                            try notes.append(Note(id: 2, title: title))
                        }
                    }
                    let skylab = Project(title: "Skylab")
                    try draft.append(skylab)
                    try draft.write(.notes, of: skylab.id) { notes in
                        try notes.append(Note(id: 1, title: "About Skylab"))
                    }
                }
            }
        }

        /// Moves a photo of Apollo to Gemini.
        mutating func transfer(
            killedAt call: String, suffix: String, after count: Int = 0,
            failingAt failing: String? = nil
        ) throws {
            try projects(on: dying(at: call, suffix, after: count, failingAt: failing)) {
                projects in
                let photos = try projects.items.prefix(2).map {
                    try projects.child(.photos, of: $0.id)
                }
                try photos[0].load()
                try photos[0].transfer([photos[0].items[0].id], to: photos[1])
            }
        }

        /// Copies the store, changes it, and makes it what the copy has.
        mutating func restoring(killedAt call: String, suffix: String, after count: Int = 0)
            throws
        {
            let copies = try TemporaryFolder()
            let copy = copies.url.appending(path: "copy")
            try projects { projects in
                try projects.copy(to: copy)
                try Self.change(projects)
            }
            let projects = try Directory<Project>(
                at: url, index: "projects.json", on: dying(at: call, suffix, after: count))
            _ = try? projects.restore(from: copy)
        }

        /// Opens the projects, and keeps what is removed for centuries.
        private func keeping(on process: ProcessFileSystem) throws -> Directory<Project> {
            let options = DirectoryOptions(keepsRemoved: .days(100_000))
            let projects = try Directory<Project>(
                at: url, index: "projects.json", options: options, on: process)
            try projects.load()
            return projects
        }

        mutating func exchange(killedAt call: String, suffix: String, after count: Int = 0)
            throws
        {
            let copies = try TemporaryFolder()
            let copy = copies.url.appending(path: "copy")
            try projects { projects in
                try projects.copy(to: copy)
                let notes = try projects.child(.notes, of: projects.items[0].id)
                try notes.append(Note(id: 2, title: "Written after the copy"))
            }
            let first = ProcessFileSystem(LocalFileSystem())
            let restored = try keeping(on: first)
            try restored.restore(from: copy)
            withExtendedLifetime(restored) { first.kill() }
            let projects = try keeping(on: dying(at: call, suffix, after: count))
            _ = try? projects.bring(back: projects.recentlyRemoved().map(\.id))
        }

        mutating func removed() throws {
            try projects { _ in }
            let process = ProcessFileSystem(LocalFileSystem())
            let projects = try keeping(on: process)
            let photos = try projects.child(.photos, of: projects.items[0].id)
            try photos.load()
            try photos.remove(id: photos.items[0].id)
            try projects.remove(id: projects.items[1].id)
            try projects.checkpoint()
            withExtendedLifetime(projects) { process.kill() }
        }

        /// Renames a project, removes one, and adds one.
        private static func change(_ projects: Directory<Project>) throws {
            try projects.write { draft in
                try draft.update(id: draft.items[0].id) { $0.title = "Artemis" }
                try draft.remove(id: draft.items[1].id)
                try draft.append(Project(title: "Skylab"))
            }
        }
    }
}
