#if os(Linux)
    import AppFolders
    import Foundation
    import Testing

    /// In processes apart, because the environment is changed.
    struct LinuxTests {
        @Test func placesAreThoseOfTheEnvironment() async {
            await #expect(processExitsWith: .success) {
                try LinuxTests.documentsAreTheFolderOfFileManager()
                try LinuxTests.sharedFoldersAreNeitherPurgedNorMarked()
                try LinuxTests.xdgVariablesSetThePlaces()
                try LinuxTests.placesAreInTheHomeWithoutXDGVariables()
                try LinuxTests.relativeTemporaryFolderIsMadeAbsolute()
            }
        }

        private static func xdgVariablesSetThePlaces() throws {
            setenv("XDG_CACHE_HOME", "/x/cache", 1)
            setenv("XDG_DATA_HOME", "/x/data/", 1)
            setenv("TMPDIR", "/x/tmp", 1)
            #expect(AppFolder.Library.Caches.url.path == "/x/cache/")
            #expect(AppFolder.Library.Application_Support.url.path == "/x/data/")
            #expect(AppFolder.Library.url.path == "/x/data/")
            #expect(AppFolder.tmp.url.path == "/x/tmp/")
            #expect(AppFolder.Library.Caches.subpath == "Library/Caches")
        }

        private static func placesAreInTheHomeWithoutXDGVariables() throws {
            setenv("HOME", "/x/home", 1)
            setenv("XDG_DATA_HOME", "relative", 1)  // to be ignored, says the specification
            unsetenv("XDG_CACHE_HOME")
            unsetenv("TMPDIR")
            #expect(AppFolder.Library.Caches.url.path == "/x/home/.cache/")
            #expect(AppFolder.Library.Application_Support.url.path == "/x/home/.local/share/")
            #expect(AppFolder.tmp.url.path == "/tmp/")
            setenv("XDG_CONFIG_HOME", "/x/none", 1)
            #expect(AppFolder.Documents.url.path == "/x/home/Documents/")
            #expect(AppFolder.baseURL.path == "/x/home/")
            unsetenv("HOME")
            #expect(AppFolder.Library.Caches.url.path == NSHomeDirectory() + "/.cache/")
        }

        private static func documentsAreTheFolderOfFileManager() throws {
            try withUserDirs("") {
                let urls = FileManager.default.urls(
                    for: .documentDirectory, in: .userDomainMask)
                #expect(AppFolder.Documents.url.path == urls[0].path + "/")
            }
        }

        /// FileManager takes the quotes and the variable for the name of a folder.
        @Test func documentsOfUserDirsCanBeInTheHome() async {
            await #expect(processExitsWith: .success) {
                setenv("HOME", "/x/home", 1)
                try withUserDirs(#"XDG_DOCUMENTS_DIR="$HOME/My Papers""#) {
                    #expect(AppFolder.Documents.url.path == "/x/home/My Papers/")
                    #expect(AppFolder.Documents.Inbox.url.lastPathComponent == "Inbox")
                }
                let lines = #"""
                    # XDG_DOCUMENTS_DIR="/x/comment"
                    XDG_DOCUMENTS_DIR="/x/first"
                      XDG_DOCUMENTS_DIR = "$HOME/My \"new\" \$HOME \\ \`Papers"
                    XDG_MUSIC_DIR="/x/music"
                    XDG_DOCUMENTS_DIR="relative"
                    """#
                try withUserDirs(lines) {
                    let path = #"/x/home/My "new" $HOME \ `Papers/"#
                    #expect(AppFolder.Documents.url.path == path)
                }
                for line in [#"XDG_DOCUMENTS_DIR="Papers""#, "XDG_DOCUMENTS_DIR=/x", ""] {
                    try withUserDirs(line) {
                        #expect(AppFolder.Documents.url.path == "/x/home/Documents/")
                    }
                }
            }
        }

        @Test func documentsOfUserDirsCanBeElsewhere() async {
            await #expect(processExitsWith: .success) {
                try withUserDirs(#"XDG_DOCUMENTS_DIR="/x/Papers""#) {
                    #expect(AppFolder.Documents.url.path == "/x/Papers/")
                    #expect(AppFolder.Documents.Inbox.url.path == "/x/Papers/Inbox/")
                }
            }
        }

        @Test func aNameThatIsNotUTF8HidesNoOtherFolderOfTheUser() async {
            await #expect(processExitsWith: .success) {
                try withRoot { root in
                    setenv("XDG_CONFIG_HOME", root.baseURL.path, 1)
                    let lines = Data(#"XDG_MUSIC_DIR="$HOME/M"#.utf8) + [0xE9] + Data("\"\n".utf8)
                    try (lines + Data(#"XDG_DOCUMENTS_DIR="/x/Papers""#.utf8))
                        .write(to: root.baseURL.appending(path: "user-dirs.dirs"))
                    #expect(AppFolder.Documents.url.path == "/x/Papers/")
                }
            }
        }

        /// As in a container.
        @Test(.enabled(if: geteuid() == 0)) func aUserWithoutAnEntryHasNoRelativeHome() async {
            await #expect(processExitsWith: .success) {
                setenv("HOME", "", 1)
                try #require(setuid(54_321) == 0)
                #expect(AppFolder.baseURL.path == "/var/empty/")
                setenv("HOME", "relative", 1)
                #expect(AppFolder.baseURL.path == "/var/empty/")
            }
        }

        private static func relativeTemporaryFolderIsMadeAbsolute() throws {
            setenv("TMPDIR", "relative", 1)
            let folder = FileManager.default.currentDirectoryPath
            #expect(AppFolder.tmp.url.absoluteString.hasPrefix("file:///"))
            #expect(AppFolder.tmp.url.path == folder + "/relative/")
            setenv("TMPDIR", "", 1)
            #expect(AppFolder.tmp.url.path == "/tmp/")
        }

        private static func sharedFoldersAreNeitherPurgedNorMarked() throws {
            try withRoot { root in
                for name in ["XDG_CACHE_HOME", "XDG_DATA_HOME", "TMPDIR"] {
                    setenv(name, root.baseURL.path, 1)
                }
                let file = try root.baseURL.write("of another program")
                expect(.shared) { try AppFolder.Library.Caches.purge() }
                expect(.shared) { try AppFolder.tmp.purge() }
                expect(.shared) { try AppFolder.Library.Caches.excludeFromBackup() }
                expect(.shared) {
                    try AppFolder.Library.Application_Support.excludeFromBackup()
                }
                expect(.shared) { try AppFolder.Library.excludeFromBackup() }
                #expect(file.exists)
                #expect(!root.baseURL.appending(path: "CACHEDIR.TAG").exists)

                let own = try AppFolder.Library.Caches.appending("Mine").create()
                let mine = try own.url.write("mine")
                try own.excludeFromBackup()
                try own.purge()
                #expect(!mine.exists && file.exists)
                #expect(own.url.appending(path: "CACHEDIR.TAG").exists)
            }
        }
    }

    /// Runs `body` while the user's `user-dirs.dirs` has `contents`.
    private func withUserDirs(_ contents: String, _ body: () throws -> Void) throws {
        try withRoot { root in
            try Data(contents.utf8).write(to: root.baseURL.appending(path: "user-dirs.dirs"))
            setenv("XDG_CONFIG_HOME", root.baseURL.path, 1)
            try body()
        }
    }
#endif
