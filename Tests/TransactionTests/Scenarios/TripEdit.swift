import TestSupport

/// One update of a trip, as both versions of the app can do it.
struct TripEdit {
    private let kind: Int
    private let number: Int
    /// In the texts of one edit only.
    private let mark: String

    static func random(_ random: inout SeededGenerator) -> Self {
        TripEdit(
            kind: .random(in: 0..<16, using: &random), number: .random(in: 0..<3, using: &random),
            mark: "\(UInt32.random(in: 0 ... .max, using: &random))")
    }

    func apply(to trip: inout OldTrip) {
        switch kind {
        case 0: trip.title = mark
        case 1: trip.note = trip.note == nil ? mark : nil
        case 2: trip.place?.city = mark
        case 3: trip.place = trip.place == nil ? .init(city: mark) : nil
        case 4: trip.tags.append(mark)
        case 5: trip.tags = []
        case 6 where number < trip.stops.count: trip.stops[number].name = mark
        case 7 where number < trip.stops.count: trip.stops.remove(at: number)
        case 8: trip.stops.insert(.init(id: (Int(mark) ?? 0) + 9, name: mark), at: 0)
        case 9:
            trip.stops.reverse()
            for index in trip.stops.indices { trip.stops[index].name += mark }
        case 10 where number < trip.legs.count: trip.legs[number].from = mark
        case 11 where number < trip.legs.count: trip.legs.remove(at: number)
        case 12: trip.legs.insert(.init(from: mark), at: min(number, trip.legs.count))
        case 13: for index in trip.legs.indices { trip.legs[index].distance = 1.5 }
        case 14: trip.named["é\(number)"]?.city = mark
        case 15: trip.named["é\(number)"] = trip.named["é\(number)"] == nil ? .init(city: "") : nil
        default: trip.legs.reverse()
        }
    }

    func apply(to trip: inout NewTrip) {
        switch kind {
        case 0: trip.title = mark
        case 1: trip.note = trip.note == nil ? mark : nil
        case 2: trip.place?.city = mark
        case 3: trip.place = trip.place == nil ? .init(city: mark) : nil
        case 4: trip.tags.append(mark)
        case 5: trip.tags = []
        case 6 where number < trip.stops.count: trip.stops[number].name = mark
        case 7 where number < trip.stops.count: trip.stops.remove(at: number)
        case 8: trip.stops.insert(.init(id: (Int(mark) ?? 0) + 9, name: mark), at: 0)
        case 9:
            trip.stops.reverse()
            for index in trip.stops.indices { trip.stops[index].name += mark }
        case 10 where number < trip.legs.count: trip.legs[number].from = mark
        case 11 where number < trip.legs.count: trip.legs.remove(at: number)
        case 12: trip.legs.insert(.init(from: mark), at: min(number, trip.legs.count))
        case 13: for index in trip.legs.indices { trip.legs[index].distance = 1.5 }
        case 14: trip.named["é\(number)"]?.city = mark
        case 15: trip.named["é\(number)"] = trip.named["é\(number)"] == nil ? .init(city: "") : nil
        default: trip.legs.reverse()
        }
    }
}
