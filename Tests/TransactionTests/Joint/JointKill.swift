import DirectoryTestSupport
import FileSystem
import StoreModel
import Synchronization
import TestSupport
import Testing

@testable import Directory

/// Where in a write to several collections its process is killed.
enum JointKill: CaseIterable, CustomTestStringConvertible {
    /// Before the home decides that it takes place.
    case undecided
    /// Right after that.
    case decided
    /// After the first index beside the home has its new lines.
    case betweenIndexes

    var testDescription: String { "\(self)" }

    /// A process that is killed there.
    var process: ProcessFileSystem {
        let state = Mutex((isDecided: false, isDead: false))
        return ProcessFileSystem(LocalFileSystem()) { _, call in
            state.withLock { state in
                if state.isDead || (self == .undecided && call.decidesTree) { return .killed }
                switch self {
                case .undecided: break
                case .decided: state.isDead = call.decidesTree
                case .betweenIndexes: state.isDead = state.isDecided && call.decidesTree
                }
                state.isDecided = state.isDecided || call.decidesTree
                return .works
            }
        }
    }
}

extension String {
    /// Whether this call, a line in the log of a process, commits a part of a write to several collections; the first such
    /// call decides the write.
    var decidesTree: Bool { hasPrefix("write ") && hasSuffix(" committed") }
}
