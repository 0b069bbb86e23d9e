import Directory
import DirectoryTestSupport
import Foundation
import StoreModel
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
    }

    #if os(Linux)
        private let openFiles = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private let openFiles = RLIMIT_NOFILE
    #endif
#endif
