import Directory
import DirectoryReplicas
import Dispatch
import FileSystem
import Foundation
import Synchronization
import TestSupport
import Testing

/// A sync ends when its task is cancelled, with nothing half done, and a later one goes on.
@Suite struct CancellationTests {
    private let apollo = Project("Apollo")

    /// A device with changes that were not published, and with changes of another one that were not imported.
    private func makeChangedDevices() throws -> ([TestDevice], Carrier) {
        let (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(apollo)
        try settle(devices, carrier)
        for device in devices {
            try device.projects.append(Project("of \(device.name)"))
            for number: UInt8 in 0..<3 {
                try device.photos(apollo.id).insert(
                    Data([number]), name: "\(device.name) \(number)")
            }
            try device.notes(apollo.id).append(Note(text: device.name))
        }
        try devices[1].sync()
        try carrier.carry(from: devices[1], to: devices[0])
        return (devices, carrier)
    }

    private func makeDevicesWithConflict() throws -> ([TestDevice], Carrier) {
        let (devices, carrier) = try makeDevices("a", "b")
        try devices[0].projects.append(apollo)
        try settle(devices, carrier)
        for device in devices {
            try device.projects.update(id: apollo.id) { $0.title = device.name }
        }
        try settle(devices, carrier)
        return (devices, carrier)
    }

    private func expectAll(_ devices: [TestDevice]) throws {
        for device in devices {
            #expect(device.titles == ["Apollo", "of a", "of b"])
            #expect(try device.photos(apollo.id).loaded().count == 6)
            #expect(Set(try device.notes(apollo.id).loaded().map(\.text)) == ["a", "b"])
            #expect(try device.projects.verify().isEmpty)
            #expect(device.replica.status == .idle && device.replica.conflicts.isEmpty)
        }
    }

    @Test func aCancelledTaskBeginsNoSync() async throws {
        let (devices, carrier) = try makeChangedDevices()
        let replica = devices[0].replica
        let calls = devices[0].process.calls
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return try await replica.sync()
            }.value
        }
        #expect(devices[0].process.calls == calls && replica.status == .idle)
        try settle(devices, carrier)
        try expectAll(devices)
    }

    @Test func aSyncThatIsCancelledAnywhereGoesOnLater() async throws {
        let (rehearsal, _) = try makeChangedDevices()
        try rehearsal[0].restart { _, _ in .works }
        let process = rehearsal[0].process
        let before = process.calls
        _ = try await rehearsal[0].replica.sync()
        var sweep = Sweep()
        let numbers = sweep.numbers(below: process.calls - before, step: 30)
        var cancelled = 0
        for number in numbers {
            let (devices, carrier) = try makeChangedDevices()
            let canceller = Canceller()
            try devices[0].restart { call, _ in
                canceller.cancel(at: call)
                return .works
            }
            let (process, replica) = (devices[0].process, devices[0].replica)
            let call = process.calls + number
            canceller.limit.withLock { $0 = call }
            let sync = Task { try await replica.sync() }
            canceller.hold(sync)
            do {
                _ = try await sync.value
            } catch is CancellationError {
                cancelled += 1
            }
            try settle(devices, carrier)
            try expectAll(devices)
        }
        if TestSize.current != .sample { #expect(cancelled > numbers.count / 2, "\(sweep)") }
    }

    @Test func aCancelledTaskResolvesNoConflict() async throws {
        let (devices, _) = try makeDevicesWithConflict()
        let replica = devices[0].replica
        let conflict = try #require(replica.conflicts.first)
        await #expect(throws: CancellationError.self) {
            try await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await replica.resolve(conflict, keeping: conflict.values[1])
            }.value
        }
        #expect(replica.conflicts == [conflict])
    }

    /// The task that runs the syncs ends; that is no error of a sync.
    @Test func theEndOfARunIsNoError() async throws {
        let (devices, _) = try makeChangedDevices()
        let canceller = Canceller()
        try devices[0].restart { call, _ in
            canceller.cancel(at: call)
            return .works
        }
        let (process, replica) = (devices[0].process, devices[0].replica)
        canceller.limit.withLock { $0 = process.calls + 20 }
        let (errors, error) = AsyncStream.makeStream(of: String.self)
        let run = Task { await replica.run { error.yield("\($0)") } }
        canceller.hold(run)
        await run.value
        error.finish()
        for await error in errors { Issue.record("\(error)") }
        #expect(replica.status == .idle)
    }
}

/// Cancels a task at a call of its process.
private final class Canceller: Sendable {
    /// The number of the call.
    let limit = Mutex<Int?>(nil)
    private let cancelTask = Mutex<(@Sendable () -> Void)?>(nil)
    private let isReady = DispatchSemaphore(value: 0)

    /// The task may have begun.
    func hold<Result, Failure>(_ task: Task<Result, Failure>) {
        cancelTask.withLock { $0 = { task.cancel() } }
        isReady.signal()
    }

    func cancel(at call: Int) {
        guard call == limit.withLock({ $0 }) else { return }
        isReady.wait()
        cancelTask.withLock { $0 }?()
    }
}
