#if os(Linux) || os(macOS)
    import Directory
    import DirectoryReplicas
    import Foundation
    import TestSupport
    import Testing

    /// Changes of more collections than a process can have open at once: some systems give it 256 files.
    @Suite struct OpenFileTests {
        /// A store of projects on a real disk.
        private struct Device {
            let projects: Directory<Project>
            let replica: Replica

            init(
                _ name: String, in folder: URL,
                _ children: [ReplicatedChild] = [Child.notes.replicated(), Child.tags.replicated()]
            ) throws {
                projects = try Directory<Project>(
                    at: folder.appending(path: "\(name)/store"), index: "projects.json")
                replica = try Replica(
                    of: projects, in: folder.appending(path: "shared"), children: children)
            }
        }

        @Test func changesOfVeryManyCollectionsAreImported() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let (a, b) = try (
                    Device("a", in: folder.url), Device("b", in: folder.url)
                )
                let count = TestSize.choose(sample: 70, gate: 100, full: 100)
                let projects = (0..<count).map { Project("Project \($0)") }
                try a.projects.append(contentsOf: projects)
                for project in projects {
                    try a.projects.child(.notes, of: project.id).append(Note(text: "first"))
                }
                for device in [a, b, a] { try device.replica.sync() }
                for project in projects.prefix(count * 6 / 10) {
                    try a.projects.child(.notes, of: project.id).append(Note(text: "second"))
                    try a.projects.child(.tags, of: project.id).append(Tag(id: "new", color: "red"))
                }
                // An item that moves between two collections belongs to both.
                let from = try a.projects.child(.notes, of: projects[0].id)
                let to = try a.projects.child(.notes, of: projects[count * 6 / 10 - 1].id)
                let moved = try #require(try from.loaded().last)
                try from.remove(id: moved.id)
                try to.append(moved)
                try a.projects.remove(ids: projects.suffix(count / 4).map(\.id))
                try a.replica.sync()

                startDispatchTimers()
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                limit.rlim_cur = 64
                try #require(setrlimit(openFiles, &limit) == 0)
                try b.replica.sync()
                #expect(b.projects.items == a.projects.items)
                for project in a.projects.items {
                    for device in [a, b] { try device.projects.child(.tags, of: project.id).load() }
                    #expect(
                        try b.projects.child(.notes, of: project.id).loaded()
                            == a.projects.child(.notes, of: project.id).loaded())
                }
                #expect(try b.replica.sync().published == 0)
                #expect(try b.projects.verify() == [])
            }
        }

        /// A container comes with all collections in it.
        @Test func aNewDeviceImportsVeryManyCollections() async {
            await #expect(processExitsWith: .success) {
                // Without an end it would try again and again.
                alarm(120)
                let folder = try TemporaryFolder()
                let children = [Child.notes.replicated(), Child.photos.replicated()]
                let (a, b) = try (
                    Device("a", in: folder.url, children), Device("b", in: folder.url, children)
                )
                let count = TestSize.choose(sample: 40, gate: 50, full: 50)
                let items = (0..<count).map { Project("Project \($0)") }
                try a.projects.append(contentsOf: items)
                for item in items {
                    try a.projects.child(.notes, of: item.id).append(Note(text: "one"))
                    try a.projects.child(.photos, of: item.id).insert(Data([1]), name: "one.jpg")
                }
                try a.replica.sync()
                startDispatchTimers()
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                limit.rlim_cur = 64
                try #require(setrlimit(openFiles, &limit) == 0)
                try b.replica.sync()
                #expect(b.projects.items == a.projects.items)
                for item in items {
                    #expect(try b.projects.child(.notes, of: item.id).loaded().count == 1)
                    #expect(try b.projects.child(.photos, of: item.id).loaded().count == 1)
                }
                #expect(try b.replica.sync().published == 0)
            }
        }

        /// One item alone changes more collections than can be open: that is an error, and no endless loop.
        @Test func aRemovalOfVeryManyCollectionsEnds() async {
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                let children = [Child.albums.replicated(Child.notes.replicated())]
                let (a, b) = try (
                    Device("a", in: folder.url, children), Device("b", in: folder.url, children)
                )
                let (gone, kept) = (Project("Gone"), Project("Kept"))
                try a.projects.append(contentsOf: [gone, kept])
                let albums = (0..<60).map { Album(folderName: "Album \($0)") }
                try a.projects.child(.albums, of: gone.id).append(contentsOf: albums)
                for album in albums {
                    try a.projects.child(.albums, of: gone.id).child(.notes, of: album.id)
                        .append(Note(text: "one"))
                }
                for replica in [a.replica, b.replica, a.replica] { try replica.sync() }
                try a.projects.remove(id: gone.id)
                #expect(try a.replica.sync().held > 0)
                guard case .held(let held) = a.replica.status else {
                    Issue.record("\(a.replica.status)")
                    return
                }
                try a.replica.release(held)
                try a.replica.sync()
                startDispatchTimers()
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                let most = limit.rlim_cur
                limit.rlim_cur = 64
                try #require(setrlimit(openFiles, &limit) == 0)
                #expect(throws: DirectoryError.self) { try b.replica.sync() }
                limit.rlim_cur = most
                try #require(setrlimit(openFiles, &limit) == 0)
                try b.replica.sync()
                #expect(b.projects.items.map(\.title) == ["Kept"])
            }
        }
    }

    #if canImport(Glibc)
        private var openFiles: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #else
        private var openFiles: Int32 { RLIMIT_NOFILE }
    #endif
#endif
