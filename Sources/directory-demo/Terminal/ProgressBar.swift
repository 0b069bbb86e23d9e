import Dispatch
import Foundation

/// Shows the progress of an import: a bar on a terminal, a line for each file elsewhere.
final class ProgressBar {
    private let fileCount: Int
    private let progress: Progress
    private let start = ContinuousClock.now
    /// How many files were copied.
    private var copied = 0
    /// The queue that draws, so that no two threads draw at once.
    private let queue = DispatchQueue(label: "directory-demo.progress")
    private let timer: (any DispatchSourceTimer)?

    /// Starts to draw the bar of `progress`, which counts bytes.
    init(of progress: Progress, fileCount: Int) {
        (self.progress, self.fileCount) = (progress, fileCount)
        guard Terminal.isInteractive else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler { [start] in Self.draw(progress, since: start) }
        timer.schedule(deadline: .now(), repeating: .milliseconds(80))
        timer.resume()
        self.timer = timer
    }

    /// Prints a line about a copied file, unless there is a bar.
    func show(_ name: String, byteCount: Int) {
        guard timer == nil else { return }
        copied += 1
        print("\(copied) of \(fileCount)  \(name.printable)  \(byteCount.asBytes)")
        Output.show()
    }

    /// Removes the bar.
    func finish() {
        guard let timer else { return }
        timer.cancel()
        queue.sync {
            Self.draw(progress, since: start)
            print("\r\u{1B}[K", terminator: "")
            Output.show()
        }
    }

    private static func draw(_ progress: Progress, since start: ContinuousClock.Instant) {
        let seconds = (ContinuousClock.now - start) / .seconds(1)
        print("\r\u{1B}[K\(line(of: progress, seconds))", terminator: "")
        Output.show()
    }

    private static func line(of progress: Progress, _ seconds: Double) -> String {
        // A Double holds all integers up to 2^53.
        let all = Int(min(progress.totalUnitCount, 1 << 53))
        let fraction = min(1, max(0, progress.fractionCompleted))
        let done = Int(fraction * Double(all))
        let width = 24
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "━", count: filled).styled(.green)
        let rest = String(repeating: "─", count: width - filled).styled(.dim)
        let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
        return "Importing \(bar)\(rest) \(done.asBytes) of \(all.asBytes)  \(rate.asBytes)/s"
    }
}
