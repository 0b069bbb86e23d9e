import Directory
import StoreModel
import TestSupport

/// How a step of a process ended.
enum Ending: Hashable, Sendable {
    /// The call returned.
    case done
    /// The call threw, so nothing may have changed.
    case refused(DirectoryError.Code)
    /// The process died first, or the library said that it does not know.
    case inDoubt
    /// It was never begun.
    case never

    /// The ending of a step that threw `error`.
    init(_ error: any Error) {
        switch error {
        case is ProcessFileSystem.Killed: self = .inDoubt
        case let error as DirectoryError where error.code == .inDoubt: self = .inDoubt
        case let error as DirectoryError: self = .refused(error.code)
        // The process looked for something by its name.
        case is Refusal: self = .refused(.itemNotFound)
        default: self = .refused(.init(rawValue: "\(error)"))
        }
    }
}

extension Ending: CustomStringConvertible {
    var description: String {
        switch self {
        case .done: "done"
        case .refused(let code): code.rawValue
        case .inDoubt: "in doubt"
        case .never: "-"
        }
    }
}

extension [Ending] {
    /// The same if nobody knows whether what was done is there.
    var doubted: [Ending] { map { $0 == .done ? .inDoubt : $0 } }
}

extension [Step] {
    /// Performs the steps until one fails; `didEnd` is called after each that is done.
    func perform(in session: Session, didEnd: () -> Void = {}) -> [Ending] {
        var endings: [Ending] = []
        for step in self {
            do {
                try step.perform(in: session)
                endings.append(.done)
                didEnd()
                // Else the calls of the next step would be mixed with those of the background.
                session.waitForBackground()
            } catch {
                endings.append(Ending(error))
                break
            }
        }
        session.waitForBackground()
        return endings + Array<Ending>(repeating: .never, count: count - endings.count)
    }
}
