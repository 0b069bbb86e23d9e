import Directory
import DirectoryTestSupport
import FileSystem
import Foundation
import StoreModel
import TestSupport
import Testing

/// Verifications of a store that others change all the time, at three levels.
@Suite(.serialized, .timeLimit(.minutes(60))) struct VerifyBelowWhileChangingTests {
    private static let times = TestSize.choose(sample: 1, gate: 30, full: 2_000)

    @Test(arguments: Sweep.cases([Writers.Kind.threads, .processes], sample: 1))
    func changesUnderWayAreNoFindings(_ kind: Writers.Kind) throws {
        let sandbox = try Sandbox()
        let writers = try Writers(kind, in: sandbox.url("store"))
        try writers.run {
            // On a busy machine the writers begin late.
            var number = 0
            while number < Self.times || writers.acknowledged.reduce(0, +) < Writers.count {
                let findings = try Directory.verify(below: sandbox.url)
                #expect(findings == [], "\(writers.random)")
                number += 1
                if !writers.faults.isEmpty { break }
            }
        }
        #expect(writers.faults == [])
        #expect(try Directory.verify(below: sandbox.url) == [])
    }

    @Test func damageIsFoundWhileOthersGoOn() throws {
        let sandbox = try Sandbox()
        let writers = try Writers(.threads, in: sandbox.url("store"))
        try sandbox.write(#"[{"id":1},{"id":1}]"#, to: "store/projects/Two/damaged.json")
        try writers.run {
            for _ in 0..<Self.times {
                let findings = try Directory.verify(below: sandbox.url)
                #expect(findings.map(\.kind) == [.duplicateID], "\(writers.random)")
            }
        }
    }

    @Test func folderThatIsRenamedAfterItWasListedIsFound() throws {
        let sandbox = try Sandbox()
        try sandbox.threeLevels()
        let interruption = Interruption()
        let (from, to) = (sandbox.url("projects/One"), sandbox.url("projects/Uno"))
        try sandbox.write(#"[{"id":1},{"id":1}]"#, to: "projects/One/damaged.json")
        interruption.set { try FileManager.default.moveItem(at: from, to: to) }
        let process = interruption.process(beforeCall: "open", "/projects/One")
        let findings = try Directory.verify(below: sandbox.url, on: process)
        #expect(interruption.hasRun)
        #expect(findings.map(\.path) == [to.path + "/damaged.json"])
    }

    #if os(Linux) || os(macOS)
        @Test func processThatLivesIsNotTakenForOneThatHasEnded() async throws {
            let sandbox = try Sandbox()
            try sandbox.makeFolder("tree")
            try sandbox.write("", to: "log")
            let paths = ["tree", "log", "stop"].map { sandbox.url($0).path }
            let process = try TestProcess(
                "change-tree", paths + ["1", "\(UInt64.random(in: 0...9999))"])
            defer { process.end() }
            #expect(try await eventually { try sandbox.text("log").count > 1_000 })
            for _ in 0..<Self.times {
                #expect(try await Directory.verify(below: sandbox.url("tree")) == [])
                // Stopped in the middle of something, it still can go on.
                process.stop()
                let findings = try await Directory.verify(below: sandbox.url("tree"))
                #expect(findings == [], "\(findings)")
                process.resume()
            }
            #expect(process.isRunning)
        }
    #endif
}
