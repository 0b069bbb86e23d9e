extension Model {
    /// What happened in a life.
    struct Counts {
        var writes = 0
        var crashes = 0
        var conflicts = 0
        var shown = 0
        var breaks = 0

        static func += (total: inout Self, one: Self) {
            total.writes += one.writes
            total.crashes += one.crashes
            total.conflicts += one.conflicts
            total.shown += one.shown
            total.breaks += one.breaks
        }
    }
}
