import Foundation
import Synchronization

/// A question to the terminal, which answers on standard input.
enum RawTerminal {
    /// The time that a terminal has for its answer.
    private static let limit = Duration.seconds(2)
    /// The length of the longest answer in bytes.
    private static let maximumLength = 4096

    /// Writes `query`, and returns the answer of the terminal; nil if the answer is never complete.
    ///
    /// Until then the terminal does not show its input, and passes it on without waiting for the end of a line.
    /// When this returns, the settings of the terminal are as before.
    ///
    /// - Parameters:
    ///   - query: The question.
    ///   - isComplete: Whether the text so far is the whole answer.
    /// - Returns: The answer, or nil.
    /// - Throws: `CancellationError` if Ctrl-C or SIGTERM came meanwhile.
    static func ask(_ query: String, until isComplete: (String) -> Bool) throws -> String? {
        var settings = termios()
        guard isForeground, tcgetattr(STDIN_FILENO, &settings) == 0 else { return nil }
        var raw = settings
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        let isCancelled = Mutex(false)
        let interrupt = Interrupt { isCancelled.withLock { $0 = true } }
        guard tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 else {
            interrupt.finish()
            return nil
        }
        print(query, terminator: "")
        Output.show()
        let answer = read(until: isComplete) { isCancelled.withLock { $0 } }
        // Without an answer, drop the input: a late answer must not reach the shell.
        tcsetattr(STDIN_FILENO, answer == nil ? TCSAFLUSH : TCSADRAIN, &settings)
        // A terminal that did not understand the query may have shown parts of it.
        print("\r\u{1B}[K", terminator: "")
        Output.show()
        interrupt.finish()
        if isCancelled.withLock({ $0 }) { throw CancellationError() }
        return answer
    }

    /// Whether the process may change the terminal; one in the background would be stopped.
    private static var isForeground: Bool {
        let group = tcgetpgrp(STDIN_FILENO)
        return group < 0 || group == getpgrp()
    }

    private static func read(
        until isComplete: (String) -> Bool, orUntil isCancelled: () -> Bool
    ) -> String? {
        var answer: [UInt8] = []
        let end = ContinuousClock.now + limit
        while ContinuousClock.now < end, answer.count < maximumLength, !isCancelled() {
            var input = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            guard poll(&input, 1, 20) > 0 else { continue }
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = Foundation.read(STDIN_FILENO, &buffer, buffer.count)
            guard count > 0 else { return nil }
            answer += buffer.prefix(count)
            let text = String(decoding: answer, as: UTF8.self)
            if isComplete(text) { return text }
        }
        return nil
    }
}
