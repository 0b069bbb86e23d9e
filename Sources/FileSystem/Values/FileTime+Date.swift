package import Foundation

extension FileTime {
    /// The time nearest to `date`, or the beginning of 1970 if `date` is not a number.
    package init(_ date: Date) {
        let time = date.timeIntervalSince1970
        let whole = time.rounded(.down)
        guard let seconds = Int(exactly: whole) else {
            self = .epoch
            if !time.isNaN { self.seconds = time < 0 ? .min : .max }
            return
        }
        let rest = Int((time - whole) * Double(Self.nanosecondsInASecond))
        self.init(seconds: seconds, nanoseconds: min(rest, Self.nanosecondsInASecond - 1))
    }
}

extension Date {
    package init(_ time: FileTime) {
        self.init(timeIntervalSince1970: Double(time.seconds) + Double(time.nanoseconds) / 1e9)
    }
}
