import DirectoryTestSupport
import Directory
import FileSystem
import Foundation
import StoreModel
import Synchronization
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    /// Stages of other processes.
    struct StageOwnerTests {
        let sandbox: Sandbox

        init() throws { sandbox = try Sandbox() }

        /// Leaves a stage with files as a process with this identifier would; `start` is when it began,
        /// by default when the living process with this identifier did.
        ///
        /// - Returns: The path of the stage.
        private func leaveStage(
            of process: Int32, start: String? = nil, changing change: (String) -> String = { $0 }
        ) throws -> String {
            let photos = try sandbox.photos("store")
            let stage = try photos.makeStage()
            try stage.write(Data("12345".utf8))
            let names = try FileManager.default.contentsOfDirectory(
                atPath: sandbox.url("store/.staging").path)
            let name = try #require(names.first)
            let path = "store/.staging/\(name)"
            let copy = "store/.staging/photos~\(RandomName.digits())"
            try FileManager.default.copyItem(at: sandbox.url(path), to: sandbox.url(copy))
            let files = try FileManager.default.contentsOfDirectory(atPath: sandbox.url(copy).path)
            let owner = try #require(files.first { $0.hasPrefix("owner.") })
            let words = owner.split(separator: ".")
            #expect(words.count == 7 && words[5] == "\(ProcessInfo.processInfo.processIdentifier)")
            let system = words.prefix(5).joined(separator: ".")
            let changed = change("\(system).\(process).\(start ?? self.start(of: process))")
            try sandbox.move("\(copy)/\(owner)", to: "\(copy)/\(changed)")
            return copy
        }

        /// When a process started: the field that proc_pid_stat(5) calls starttime; 1 if it has ended.
        private func start(of process: Int32) -> String {
            let stat = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            let fields = stat?.split(separator: ")").last?.split(separator: " ") ?? []
            return fields.count > 19 ? String(fields[19]) : "1"
        }

        /// The identifier of a process that has ended.
        private func deadProcess() throws -> Int32 {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/sh")
            process.arguments = ["-c", "exit 0"]
            try process.run()
            process.waitUntilExit()
            return process.processIdentifier
        }

        @Test func stageOfADeadProcessIsRemovedAtOnce() throws {
            let stage = try leaveStage(of: deadProcess())
            let photos = try sandbox.photos("store")
            #expect(!sandbox.exists(stage))
            #expect(try photos.verify().isEmpty)
            #expect(try sandbox.leftovers().isEmpty)
        }

        @Test func stageOfADeadProcessIsRemovedAtOnceAfterItsRemovalWasKilled() throws {
            for number in 0..<3 {
                let stage = try leaveStage(of: deadProcess())
                for name in ["2", "3", "4", "5"] {
                    try sandbox.write("bytes", to: "\(stage)/\(name)")
                }
                let removals = Atomic(0)
                let process = ProcessFileSystem(LocalFileSystem()) { _, call in
                    guard call.hasPrefix("remove"), call.contains("\(stage)/") else {
                        return .works
                    }
                    return removals.add(1, ordering: .relaxed).oldValue == number ? .killed : .works
                }
                let killed = try Directory<Photo>(
                    at: sandbox.url("store"), index: "photos.json", on: process)
                try? killed.load()
                #expect(process.isDead)
                #expect(sandbox.exists(stage))
                #expect(try sandbox.photos("store").verify().isEmpty)
                #expect(!sandbox.exists(stage))
            }
        }

        @Test func stageOfALivingProcessStaysAndIsNoFinding() throws {
            let stage = try leaveStage(of: 1)
            let photos = try sandbox.photos("store")
            try photos.insert(Data([1]))
            #expect(try photos.verify().isEmpty)
            #expect(sandbox.exists("\(stage)/1"))
        }

        @Test func stageOfALivingProcessStaysLongerThanADay() throws {
            let stage = try leaveStage(of: 1)
            try sandbox.setAge(25 * 60 * 60, of: stage)
            _ = try sandbox.photos("store").verify()
            #expect(sandbox.exists("\(stage)/1"))
        }

        @Test func stageOfADeadProcessIsRemovedIfALaterOneHasItsIdentifier() throws {
            let stage = try leaveStage(of: 1, start: start(of: 1) + "0")
            _ = try sandbox.photos("store").verify()
            #expect(!sandbox.exists(stage))
        }

        @Test(
            arguments: Sweep.cases(
                ["owner", "owner.linux", "owner.1", "another boot", "no machine"], sample: 1))
        func stageOfAnUnknownProcessIsAFindingWithItsSize(_ owner: String) throws {
            let process = try deadProcess()
            let stage = try leaveStage(of: process) { text in
                switch owner {
                case "another boot": text.replacing("-", with: "")
                case "no machine":
                    "owner." + text.split(separator: ".").dropFirst(2).joined(separator: ".")
                default: owner
                }
            }
            let photos = try sandbox.photos("store")
            let findings = try photos.verify()
            #expect(findings.map(\.kind) == [.leftoverStage])
            #expect(findings.first?.message.contains(" 5 bytes") == true)
            #expect(findings.first?.path.contains(stage) == true)
            #expect(try photos.repair().isEmpty)
            #expect(sandbox.exists("\(stage)/1"))
            try sandbox.setAge(25 * 60 * 60, of: stage)
            #expect(try photos.verify().isEmpty)
            #expect(!sandbox.exists(stage))
        }

        /// No process here can see whether that one lives.
        @Test func stageOfAnotherMachineStaysLongerThanADayAndIsAFinding() throws {
            let stage = try leaveStage(of: deadProcess()) { text in
                let words = text.split(separator: ".")
                return text.replacing("owner.\(words[1]).", with: "owner.0badcafe.")
            }
            try sandbox.setAge(25 * 60 * 60, of: stage)
            var options = DirectoryOptions()
            options.machine = "12345678"
            let photos = try sandbox.photos("store", options: options)
            #expect(try photos.verify().map(\.kind) == [.leftoverStage])
            #expect(sandbox.exists("\(stage)/1"))
        }

        @Test func stageWithoutAnOwnerIsAFindingUntilADayHasPassed() throws {
            let leftovers = try CrashLeftovers(of: "photos.json", in: "store", sandbox)
            try sandbox.write("12345", to: "\(leftovers.staging)/1")
            let photos = try sandbox.photos("store")
            #expect(try photos.verify().map(\.kind) == [.leftoverStage])
            try sandbox.setAge(25 * 60 * 60, of: leftovers.staging)
            #expect(try photos.verify().isEmpty)
        }

        @Test func stageInUseIsNoFinding() throws {
            let photos = try sandbox.photos("store")
            let stage = try photos.makeStage()
            try stage.write(Data([1]))
            #expect(try photos.verify().isEmpty)
            struct Other: Codable, Identifiable, Sendable { var id: UUID }
            let other = try Directory<Other>(at: sandbox.url("store"), index: "photos.json")
            #expect(try other.verify().isEmpty)
            try photos.insert(stage)
            #expect(photos.count == 1)
        }
    }
#endif
