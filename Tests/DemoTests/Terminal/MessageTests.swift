import Foundation
import Testing

#if os(Linux) || os(macOS)
    /// How messages end.
    struct MessageTests {
        let store: DemoStore

        init() throws {
            store = try DemoStore(after: [["new", "Apollo"]])
        }

        @Test(arguments: [#"[{"id":"x"}]"#, #"[{"id":1,"name":"A","folderName":"B"}]"#, "[{", "x"])
        func theReasonOfADamagedIndexHasOneFullStop(_ text: String) throws {
            let index = store.folder.appending(path: "projects.json")
            try Data(text.utf8).write(to: index)
            let error = try store.fail("list")
            #expect(error.contains("The file was left as it is;"))
            #expect(!error.contains(".."))
        }

        @Test func nobodyIsSentToANumberThatIsNotTold() throws {
            let lock = store.folder.appending(path: ".projects.lock")
            let second = store.folder.appending(path: "lock")
            try FileManager.default.linkItem(at: lock, to: second)
            let linked = try store.fail("new", "Gemini")
            #expect(linked.contains("so it is not written to. Make a copy"))
            let outcome = try DemoProcess(["new", "Apollo", "--store", "/dev/null/x"]).outcome()
            #expect(outcome.status == 1)
            #expect(outcome.error.hasSuffix("Not a directory)\n"))
        }
    }
#endif
