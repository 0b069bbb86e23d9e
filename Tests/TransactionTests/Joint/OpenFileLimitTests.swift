import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// A write to more collections than the process may have files open.
    struct OpenFileLimitTests {
        @Test func itSaysWhatToDoAndChangesNothing() async {
            await #expect(processExitsWith: .success) {
                let sandbox = try Sandbox()
                let boxes = try sandbox.boxes()
                let count = 40
                try boxes.append(
                    contentsOf: (0..<count).map { Box(id: $0, folderName: "Box \($0)") })
                for id in 0..<count {
                    try boxes.child(.notes, of: id).append(Note(id: 0, title: "a"))
                }
                let write = {
                    try boxes.write { draft in
                        for id in 0..<count {
                            try draft.write(.notes, of: id) {
                                try $0.append(Note(id: 1, title: "b"))
                            }
                        }
                    }
                }
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                let most = limit.rlim_cur
                limit.rlim_cur = 64
                try #require(setrlimit(openFiles, &limit) == 0)
                let error = #expect(throws: DirectoryError.self) { try write() }
                #expect(
                    error?.message.contains("ulimit -n") == true, "\(String(describing: error))")
                #expect(error?.failureReason == "Too many files are open now.")
                #expect(error?.recoverySuggestion?.contains("Do less at once") == true)
                limit.rlim_cur = most
                try #require(setrlimit(openFiles, &limit) == 0)
                func noteCount() throws -> Int {
                    try (0..<count).reduce(0) {
                        try $0 + boxes.child(.notes, of: $1).loaded().count
                    }
                }
                #expect(try noteCount() == count)
                try write()
                #expect(try noteCount() == 2 * count)
            }
        }

        /// The first write of a process syncs what others wrote, which must not need all files at once.
        @Test func syncsBeforeAWriteNeedFewFiles() async {
            await #expect(processExitsWith: .success) {
                let sandbox = try Sandbox()
                let ids = 0..<60
                var options = DirectoryOptions()
                options.journalThreshold = 0
                options.journalTime = nil
                func open(on process: ProcessFileSystem) throws -> Directory<Box> {
                    try Directory<Box>(
                        at: sandbox.url, index: "boxes.json", options: options, on: process)
                }
                do {
                    let process = ProcessFileSystem(LocalFileSystem())
                    let boxes = try open(on: process)
                    try boxes.append(contentsOf: ids.map { Box(id: $0, folderName: "Box \($0)") })
                    let children = try ids.map { try boxes.child(.notes, of: $0) }
                    for notes in children {
                        try notes.append(.salt)
                        try notes.append(.milk)
                    }
                    // Else the collections would end their journals.
                    process.kill()
                    withExtendedLifetime((boxes, children)) {}
                }
                #expect(sandbox.exists("Box 1/.notes.journal"))
                let boxes = try open(on: ProcessFileSystem(LocalFileSystem()))
                try boxes.load()
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                limit.rlim_cur = 216
                try #require(setrlimit(openFiles, &limit) == 0)
                try boxes.write { draft in
                    for id in ids { try draft.write(.notes, of: id) { try $0.append(.eggs) } }
                }
            }
        }

        /// With each limit, the write takes place or changes nothing: files do not run out once it is decided.
        @Test func itIsNeverInDoubt() async {
            await #expect(processExitsWith: .success) {
                let sandbox = try Sandbox()
                let boxes = try sandbox.boxes()
                // More than the process keeps open.
                let ids = 0..<60
                try boxes.append(contentsOf: ids.map { Box(id: $0, folderName: "Box \($0)") })
                for id in ids { _ = try boxes.child(.photos, of: id).insert([Data("a".utf8)]) }
                var limit = rlimit()
                try #require(getrlimit(openFiles, &limit) == 0)
                let most = limit.rlim_cur
                var written = 0
                let step = TestSize.choose(sample: 64, gate: 12, full: 1)
                for files in stride(from: rlim_t(256), to: 600, by: step) where written < 2 {
                    let stage = try boxes.makeStage()
                    for id in ids { try stage.write(Data("\(id)".utf8), name: "\(id)") }
                    limit.rlim_cur = files
                    try #require(setrlimit(openFiles, &limit) == 0)
                    do {
                        try boxes.write(importing: stage) { draft, assets in
                            for (id, asset) in zip(ids, assets) {
                                try draft.write(.photos, of: id) {
                                    try $0.append(Photo(asset), file: asset)
                                }
                            }
                        }
                        written += 1
                    } catch let error as DirectoryError {
                        #expect(error.code == .ioFailure, "with \(files) files: \(error)")
                        #expect(error.failureReason == "Too many files are open now.")
                    }
                    limit.rlim_cur = most
                    try #require(setrlimit(openFiles, &limit) == 0)
                    for id in ids {
                        #expect(try boxes.child(.photos, of: id).loaded().count == 1 + written)
                    }
                }
                #expect(written == 2)
            }
        }
    }

    #if os(Linux)
        private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private let openFiles = RLIMIT_NOFILE
    #endif
#endif
