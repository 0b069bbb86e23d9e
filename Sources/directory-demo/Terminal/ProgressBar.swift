import Dispatch
import Foundation

/// Shows the progress of an import: a bar on a terminal, a line for each file elsewhere.
final class ProgressBar {
    private let fileCount: Int
    private let isQuiet: Bool
    private let passes: [Progress]
    private let start = ContinuousClock.now
    /// The number of copied files.
    private var copied = 0
    /// The queue that draws, so that no two threads draw at once.
    private let queue = DispatchQueue(label: "directory-demo.progress")
    private let timer: (any DispatchSourceTimer)?

    /// Starts to draw the bar of `passes` over the same files, whose progress counts bytes.
    init(of passes: [Progress], fileCount: Int, isQuiet: Bool) {
        (self.passes, self.fileCount, self.isQuiet) = (passes, fileCount, isQuiet)
        guard Terminal.isInteractive, !isQuiet else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [start] in Self.draw(passes, since: start) }
        timer.schedule(deadline: .now(), repeating: .milliseconds(80))
        timer.resume()
        self.timer = timer
    }

    /// Prints a line about a copied file, unless there is a bar.
    func show(_ name: String, byteCount: Int) {
        guard timer == nil, !isQuiet else { return }
        copied += 1
        print("\(copied) of \(fileCount)  \(name.printable)  \(byteCount.asBytes)")
        Output.show()
    }

    /// Removes the bar.
    func finish() {
        guard let timer else { return }
        timer.cancel()
        queue.sync {
            Self.draw(passes, since: start)
            print("\r\u{1B}[K", terminator: "")
            Output.show()
        }
    }

    private static func draw(_ passes: [Progress], since start: ContinuousClock.Instant) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        let line = line(of: passes, seconds, columns: Terminal.size.columns)
        print("\r\u{1B}[K\(line)", terminator: "")
        Output.show()
    }

    /// The line of the bar, which is shorter than `columns`: the last column of a terminal may wrap.
    private static func line(of passes: [Progress], _ seconds: Double, columns: Int) -> String {
        // A Double holds all integers up to 2^53.
        let all = Int(min(passes.map(\.totalUnitCount).max() ?? 0, 1 << 53))
        let fractions = passes.map { min(1, max(0, $0.fractionCompleted)) }
        let fraction = fractions.reduce(0, +) / Double(max(1, fractions.count))
        let done = Int(fraction * Double(all))
        let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
        let start = "Importing "
        let ends = ["\(done.asBytes) of \(all.asBytes)  \(rate.asBytes)/s", done.asBytes, ""]
        let room = columns - 1 - start.count
        let end = ends.first { $0.count + 9 <= room } ?? ""
        let width = max(0, min(24, room - end.count - 1))
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "━", count: filled).styled(.green)
        let rest = String(repeating: "─", count: width - filled).styled(.dim)
        return "\(start.clipped(to: columns - 1))\(bar)\(rest) \(end)"
    }
}
