import Dispatch

/// Lets Dispatch open the files that its timers need.
///
/// It does that at the first timer of a process, and ends the process with SIGILL if it cannot; so a test that limits how
/// many files can be open calls this first.
package func startDispatchTimers() {
    let isDone = DispatchSemaphore(value: 0)
    DispatchQueue.global().asyncAfter(deadline: .now()) { isDone.signal() }
    isDone.wait()
}
