import Dispatch
import Foundation

/// Shows the progress of an import: a bar on a terminal, a line for each file elsewhere.
struct ProgressBar {
    private let copied: Progress
    /// The queue that draws, so that no two threads draw at once.
    private let queue = DispatchQueue(label: "directory-demo.progress")
    private let timer: (any DispatchSourceTimer)?

    /// Starts to draw the bar.
    ///
    /// - Parameters:
    ///   - bytes: The progress of copying, in bytes.
    ///   - copied: The progress of copying, in files.
    ///   - committed: The progress of the commit, which syncs the copies, in files.
    init(bytes: Progress, copied: Progress, committed: Progress) {
        self.copied = copied
        guard Terminal.isInteractive else {
            timer = nil
            return
        }
        let start = ContinuousClock.now
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.setEventHandler {
            let seconds = (ContinuousClock.now - start) / .seconds(1)
            let line = Self.line(bytes: bytes, copied: copied, committed: committed, seconds)
            print("\r\u{1B}[K\(line)", terminator: "")
            Output.show()
        }
        timer.schedule(deadline: .now(), repeating: .milliseconds(80))
        timer.resume()
        self.timer = timer
    }

    /// Prints a line about a copied file, unless there is a bar.
    func show(_ name: String, byteCount: Int) {
        guard timer == nil else { return }
        let number = "\(copied.completedUnitCount) of \(copied.totalUnitCount)"
        print("\(number)  \(name.printable)  \(byteCount.asBytes)")
        Output.show()
    }

    /// Removes the bar.
    func finish() {
        guard let timer else { return }
        timer.cancel()
        queue.sync {
            print("\r\u{1B}[K", terminator: "")
            Output.show()
        }
    }

    private static func line(
        bytes: Progress, copied: Progress, committed: Progress, _ seconds: Double
    ) -> String {
        let isSyncing = committed.totalUnitCount > 0
        let files = isSyncing ? committed : copied
        let (done, all) = (Int(bytes.completedUnitCount), Int(bytes.totalUnitCount))
        let fraction = min(1, Double(done) / Double(max(1, all)))
        let width = 24
        let filled = Int(fraction * Double(width))
        let bar = String(repeating: "━", count: filled).styled(.green)
        let rest = String(repeating: "─", count: width - filled).styled(.dim)
        let rate = seconds > 0 ? Int(Double(done) / seconds) : 0
        return "\(isSyncing ? "Syncing" : "Copying") \(bar)\(rest) "
            + "\(files.completedUnitCount) of \(files.totalUnitCount)  "
            + "\(done.asBytes) of \(all.asBytes)  \(rate.asBytes)/s"
    }
}
