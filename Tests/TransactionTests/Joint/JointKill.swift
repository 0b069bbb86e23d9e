import DirectoryTestSupport
import FileSystem
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Where in a write to several collections its process is killed.
enum JointKill: CaseIterable, CustomTestStringConvertible {
    /// Before the list is named `committed`.
    case undecided
    /// Right after that.
    case decided
    /// After the first index has its new lines.
    case betweenIndexes

    var testDescription: String { "\(self)" }

    /// A process that is killed there.
    var process: ProcessFileSystem {
        let state = Mutex((isDecided: false, isDead: false))
        return ProcessFileSystem(LocalFileSystem()) { _, call in
            state.withLock { state in
                if state.isDead || (self == .undecided && call.decidesTree) { return .killed }
                let isIndex = call.hasPrefix("rename ") && call.hasSuffix(".json")
                switch self {
                case .undecided: break
                case .decided: state.isDead = call.decidesTree
                case .betweenIndexes: state.isDead = state.isDecided && isIndex
                }
                state.isDecided = state.isDecided || call.decidesTree
                return .works
            }
        }
    }
}

extension String {
    /// Whether this call, a line in the log of a process, decides a write to several collections.
    var decidesTree: Bool { hasPrefix("rename ") && hasSuffix("/\(JointList.committed)") }
}
