import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct TripLogTests {
        @Test func tripIsAFolderThatAPersonCanRead() throws {
            let temporary = try TemporaryFolder()
            let pictures = ["cat.jpg", "moon.jpg", "tree.png"].map { name in
                temporary.url.appending(path: name)
            }
            for (number, url) in pictures.enumerated() {
                try Data(repeating: UInt8(number), count: 1000 + number).write(to: url)
            }
            let folder = temporary.url.appending(path: "Trips")
            let printed = try run("sample-trip-log", [folder.path] + pictures.map(\.path))
            #expect(
                printed == """
                    Imported 3 pictures, 3003 bytes.
                    Rome/Naples, in Rome-Naples
                      2026-05-01 
                      2026-05-02 rain
                      2026-05-03 
                      2026-05-04 sun
                        ***** The moon over the river
                        *** cat.jpg
                         tree.png
                        The museum was open until ten.

                    """)
            let day = "Rome-Naples/2026-05-02"
            let last = "Rome-Naples/2026-05-04"
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(
                Set(paths.filter { !$0.hasSuffix(".lock") }) == [
                    "trips.json", "Rome-Naples", "Rome-Naples/days.json", "Rome-Naples/2026-05-01",
                    day, "Rome-Naples/2026-05-03", "\(day)/notes.json", "\(day)/pictures.json",
                    "\(day)/pictures", "\(day)/pictures/cat.jpg", "\(day)/pictures/moon.jpg",
                    "\(day)/pictures/tree.png", last, "\(last)/notes.json",
                    "\(last)/pictures.json", "\(last)/pictures", "\(last)/pictures/tree.png",
                ])
            #expect(
                try String(
                    contentsOf: folder.appending(path: "\(day)/pictures.json"), encoding: .utf8)
                        == """
                        [
                        {"id":"moon","fileName":"moon.jpg","caption":"The moon over the river","rating":5},
                        {"id":"cat","fileName":"cat.jpg","caption":"cat.jpg","rating":3},
                        {"id":"tree","fileName":"tree.png","caption":"tree.png","rating":0}
                        ]

                        """)
        }

        @Test func brokenImportLeavesNoPictures() throws {
            let temporary = try TemporaryFolder()
            let good = temporary.url.appending(path: "moon.jpg")
            try Data([1]).write(to: good)
            let folder = temporary.url.appending(path: "Trips")
            let missing = temporary.url.appending(path: "missing.jpg")
            #expect(throws: SampleFailed.self) {
                try run("sample-trip-log", [folder.path, good.path, missing.path])
            }
            let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
            #expect(!paths.contains { $0.contains("moon") || $0.contains("pictures.json") })
        }
    }
#endif
