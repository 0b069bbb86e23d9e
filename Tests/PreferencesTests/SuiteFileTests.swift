#if os(Linux)
    import FileSystem
    import Foundation
    import TestSupport
    import Testing

    @testable import Preferences

    /// What is not read is not overwritten.
    ///
    /// Most of it is tried in a process apart, because Foundation saves all suites of a process at once.
    struct SuiteFileTests {
        @Test func whatIsNotReadIsKept() async {
            await #expect(processExitsWith: .success) {
                try SuiteFileTests.aFileThatMayNotBeReadIsKept()
                try SuiteFileTests.aFileIsKeptWhenTheProcessHasNoMoreDescriptors()
                for text in ["", "<plist>", "bplist00", "text", "<plist><array/></plist>"] {
                    try SuiteFileTests.aDamagedFileIsKeptAndReported(text)
                }
                try SuiteFileTests.aFileWithAnInputErrorIsKept()
                try SuiteFileTests.aLinkAndTheModeOfItsFileAreKept()
                try SuiteFileTests.aFileThatCannotBeWrittenIsReported()
                try SuiteFileTests.foundationDoesNotSaveWhatIsSaved()
                try SuiteFileTests.whatOtherCodeSetsIsKept()
            }
        }

        private static func aFileThatMayNotBeReadIsKept() throws {
            let suite = try TemporarySuite(containing: ["a": 1, "b": 2])
            let bytes = try Data(contentsOf: suite.file)
            @Preference("a", store: suite.store) var a = 0
            @Preference("c", store: suite.store) var c = 0
            try suite.setMode(0)
            withoutPrivileges {
                let before = a
                c = 3
                #expect(before == 0)
            }
            #expect(suite.reports.map(\.code) == [.unreadable, .unsaved])
            #expect(try Data(contentsOf: suite.file) == bytes)
            try suite.setMode(0o600)
            #expect(a == 1 && c == 3)
            a = 4
            #expect(try suite.stored() == ["a": 4, "b": 2, "c": 3])
            #expect(suite.reports.count == 2)
        }

        private static func aFileIsKeptWhenTheProcessHasNoMoreDescriptors() throws {
            let suite = try TemporarySuite(containing: ["a": 1, "b": 2])
            @Preference("a", store: suite.store) var a = 0
            @Preference("c", store: suite.store) var c = 0
            let before = try withoutDescriptors {
                let before = a
                c = 3
                return before
            }
            #expect(before == 0 && suite.reports.map(\.code) == [.unreadable, .unsaved])
            #expect(try suite.stored() == ["a": 1, "b": 2])
            #expect(a == 1 && c == 3)
            c = 4
            #expect(try suite.stored() == ["a": 1, "b": 2, "c": 4])
        }

        private static func aDamagedFileIsKeptAndReported(_ text: String) throws {
            let suite = try TemporarySuite()
            try Data(text.utf8).write(to: suite.file)
            @Preference("a", store: suite.store) var a = 0
            #expect(a == 0 && a == 0)
            #expect(suite.reports.map(\.code) == [.unreadable])
            a = 1
            #expect(a == 1)
            #expect(suite.reports.map(\.code) == [.unreadable, .unsaved])
            #expect(suite.reports.allSatisfy { $0.description.contains(suite.file.path) })
            #expect(try Data(contentsOf: suite.file) == Data(text.utf8))
        }

        /// The memory of a process is a file whose first byte cannot be read.
        private static func aFileWithAnInputErrorIsKept() throws {
            let suite = try TemporarySuite()
            try FileManager.default.createSymbolicLink(
                atPath: suite.file.path, withDestinationPath: "/proc/self/mem")
            @Preference("a", store: suite.store) var a = 0
            a = 1
            #expect(suite.reports.map(\.code) == [.unsaved])
            #expect(
                try FileManager.default.destinationOfSymbolicLink(atPath: suite.file.path)
                    == "/proc/self/mem")
        }

        @Test func changesOfSeveralProcessesAreAllSaved() async throws {
            let suite = try TemporarySuite(containing: ["a": 1])
            await withTaskGroup { group in
                for process in 0..<4 {
                    group.addTask {
                        await #expect(processExitsWith: .success) {
                            [name = suite.name as String, process = process as Int] in
                            let store = try #require(PreferenceStore(suiteName: name))
                            for number in 0..<20 {
                                @Preference("\(process) \(number)", store: store) var key = 0
                                key = number + 1
                            }
                        }
                    }
                }
            }
            let stored = try suite.stored()
            #expect(stored.count == 81 && stored["3 19"] == 20 && stored["a"] == 1)
        }

        private static func aLinkAndTheModeOfItsFileAreKept() throws {
            let suite = try TemporarySuite(containing: ["a": 1])
            let folder = try TemporaryFolder()
            let target = folder.url.appending(path: "other name")
            try FileManager.default.moveItem(at: suite.file, to: target)
            try FileManager.default.createSymbolicLink(
                at: suite.file, withDestinationURL: target)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o640], ofItemAtPath: target.path)
            // What a process that was killed left behind.
            try Data([1]).write(to: folder.url.appending(path: ".preferences.tmp"))
            @Preference("b", store: suite.store) var b = 0
            b = 2
            #expect(suite.reports.isEmpty)
            #expect(try suite.stored() == ["a": 1, "b": 2])
            let attributes = try FileManager.default.attributesOfItem(atPath: target.path)
            #expect(attributes[.posixPermissions] as? Int == 0o640)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
            #expect(names == ["other name"])
        }

        private static func aFileThatCannotBeWrittenIsReported() throws {
            let suite = try TemporarySuite()
            try FileManager.default.createDirectory(
                at: suite.file, withIntermediateDirectories: true)
            @Preference("count", store: suite.store) var count = 0
            count = 1
            #expect(suite.reports.map(\.code) == [.unsaved])
            #expect(count == 1)
        }

        @Test func refusalHasAdviceForDevelopers() {
            let error = PreferenceError(
                code: .unsaved, key: "count",
                underlyingError: FileSystemError("write", "/count.plist", .noSpace))
            #expect(error.description.hasSuffix("left on device. Free some space and try again."))
        }

        @Test func aFileThatIsReadOnlyIsKept() throws {
            let folder = try TemporaryFolder()
            let url = folder.url.appending(path: "a.plist")
            try Data("<plist><dict/></plist>".utf8).write(to: url)
            try #require(chmod(folder.url.path, 0o777) == 0 && chmod(url.path, 0o444) == 0)
            withoutPrivileges {
                #expect(throws: FileSystemError.self) {
                    try SuiteFile(url).apply(["b": .integer(2)])
                }
                return
            }
            #expect(try Data(contentsOf: url) == Data("<plist><dict/></plist>".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 1)
        }

        /// Foundation writes in place.
        ///
        /// It has nothing to write if only preferences were set.
        private static func foundationDoesNotSaveWhatIsSaved() throws {
            let suite = try TemporarySuite(containing: ["a": 1])
            @Preference("a", store: suite.store) var a = 0
            @Preference("b", store: suite.store) var b: [Date]?
            for number in 2...5 {
                a = number
                b = number == 4 ? nil : [Date(timeIntervalSince1970: 0.5)]
                let status = try FileManager.default.attributesOfItem(atPath: suite.file.path)
                #expect(status[.modificationDate] as? Date != Date(timeIntervalSince1970: 1))
                try setModificationTime(of: suite.file, toSeconds: 1)
                try suite.defaults().synchronize()
                let after = try FileManager.default.attributesOfItem(atPath: suite.file.path)
                #expect(after[.modificationDate] as? Date == Date(timeIntervalSince1970: 1))
            }
            #expect(a == 5)
        }

        /// Also if this was not saved, and with a key that other code has set as well.
        private static func whatOtherCodeSetsIsKept() throws {
            let suite = try TemporarySuite(containing: ["a": 1])
            @Preference("a", store: suite.store) var a = 0
            try suite.defaults().set(7, forKey: "other")
            try suite.defaults().set(8, forKey: "a")
            #expect(a == 8)
            a = 2
            #expect(a == 2)
            #expect(try suite.stored() == ["a": 2, "other": 7])
        }
    }

    extension TemporarySuite {
        /// Makes a suite whose file holds `values`.
        convenience init(containing values: [String: Int]) throws {
            try self.init()
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            let plist = try PropertyListSerialization.data(
                fromPropertyList: values, format: .xml, options: 0)
            try plist.write(to: file)
        }

        func setMode(_ mode: Int) throws {
            try FileManager.default.setAttributes(
                [.posixPermissions: mode], ofItemAtPath: file.path)
        }

        /// The values in the file.
        func stored() throws -> [String: Int] {
            let values = try PropertyListSerialization.propertyList(
                from: Data(contentsOf: file), format: nil)
            return try #require(values as? [String: Int])
        }
    }

    /// Calls `body` while no file can be opened: setrlimit(2).
    private func withoutDescriptors<Result>(_ body: () throws -> Result) throws -> Result {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        try #require(getrlimit(kind, &limit) == 0)
        var none = rlimit(rlim_cur: 0, rlim_max: limit.rlim_max)
        try #require(setrlimit(kind, &none) == 0)
        defer { setrlimit(kind, &limit) }
        return try body()
    }
#endif
