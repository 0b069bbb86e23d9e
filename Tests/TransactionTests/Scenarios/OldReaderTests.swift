import DirectoryTestSupport
import FileSystem
import Foundation
import TestSupport
import Testing

@testable import Directory

/// An older version of an app changes items of a newer one, again and again: the newer version finds
/// every byte of its own fields in what was not removed.
struct OldReaderTests {
    /// A disk in memory, on which each collection is opened as by another process.
    private struct Disk {
        let disk = MemoryFileSystem()

        func trips<Trip: Container>(
            _ type: Trip.Type, _ folder: String, on process: ProcessFileSystem, journaled: Bool
        ) throws -> Directory<Trip> {
            var options = DirectoryOptions()
            if journaled { options.journalThreshold = 0 }
            return try Directory(
                at: URL(filePath: "/\(folder)"), index: "trips.json", options: options,
                on: process)
        }

        func write(_ text: String) throws {
            let root = try disk.openFolder(at: "/")
            for folder in ["a", "b"] {
                _ = try disk.openOrMakeFolder(FileName(validating: folder), in: root, mode: 0o700)
            }
            let file = try disk.openFile(
                "trips.json", in: disk.openFolder(at: "/a"), for: .openOrCreate(mode: 0o600))
            try disk.write(Array(text.utf8), to: file, at: 0)
        }

        /// The bytes of both indexes.
        var text: String {
            get throws {
                try ["/a", "/b"].map { folder in
                    let bytes = try disk.readAll("trips.json", in: disk.openFolder(at: folder))
                    return String(decoding: bytes ?? [], as: UTF8.self)
                }.joined()
            }
        }
    }

    @Test func newFieldsSurviveEveryUpdateOfAnOldVersion() throws {
        var random = SeededGenerator()
        for round in 0..<TestSize.choose(sample: 2, gate: 50, full: 500) {
            var writer = TripWriter(random: random)
            let disk = Disk()
            try disk.write(writer.index(of: 3))
            var (trips, folder) = (writer.trips, "a")
            for step in 0..<12 {
                let place: Comment = "\(random), round \(round), step \(step)"
                let journaled = Bool.random(using: &writer.random)
                let process = ProcessFileSystem(disk.disk)
                let old = try disk.trips(
                    OldTrip.self, folder, on: process, journaled: journaled)
                for _ in 0..<Int.random(in: 1...3, using: &writer.random) {
                    let index = Int.random(in: trips.indices, using: &writer.random)
                    let edit = TripEdit.random(&writer.random)
                    try old.update(id: trips[index].id) { edit.apply(to: &$0) }
                    edit.apply(to: &trips[index])
                }
                if step % 4 == 3 {
                    let next = folder == "a" ? "b" : "a"
                    let other = try disk.trips(
                        OldTrip.self, next, on: process, journaled: journaled)
                    try old.transfer(trips.map(\.id), to: other)
                    try other.checkpoint()
                    folder = next
                } else if Bool.random(using: &writer.random) {
                    try old.checkpoint()
                }
                let new = try disk.trips(
                    NewTrip.self, folder, on: ProcessFileSystem(disk.disk), journaled: journaled)
                #expect(try Array(new.loaded()) == trips, place)
                #expect(new.damagedItems.isEmpty, place)
                try new.checkpoint()
                let text = try disk.text
                for trip in trips {
                    for field in trip.fields {
                        #expect(text.contains(writer.json[field.number] ?? "?"), place)
                    }
                }
            }
            random = writer.random
        }
    }
}

/// Writes trips as a newer version does, in many spellings.
private struct TripWriter {
    var random: SeededGenerator
    private(set) var trips: [NewTrip] = []
    /// The JSON of each new field by its number, with its key.
    private(set) var json: [Int: String] = [:]

    init(random: SeededGenerator) { self.random = random }

    mutating func index(of count: Int) -> String {
        let lines = (0..<count).map { number in
            trips.append(trip(number))
            return line(trips[number])
        }
        return "[\n\(lines.joined(separator: ",\n"))\n]\n"
    }

    private mutating func field() -> NewField? {
        guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
        let more = (0..<Int.random(in: 0...3, using: &random)).map { Double($0) + 0.5 }
        let field = NewField(number: 1000 + json.count, more: more.isEmpty ? nil : more)
        json[field.number] = #""new":\#(field.json(&random))"#
        return field
    }

    private mutating func place() -> NewTrip.Place {
        .init(city: "Rome", zip: Bool.random(using: &random) ? 5 : nil, new: field())
    }

    private mutating func trip(_ id: Int) -> NewTrip {
        var trip = NewTrip(id: id, title: "Trip")
        if Bool.random(using: &random) { trip.place = place() }
        for number in 0..<Int.random(in: 0...3, using: &random) {
            trip.stops.append(.init(id: number, name: "Stop", new: field()))
            trip.legs.append(.init(from: "Leg \(number)", new: field()))
            trip.named["é\(number)"] = place()
        }
        trip.new = field()
        return trip
    }
}

extension TripWriter {
    private mutating func line(_ trip: NewTrip) -> String {
        var members = [#""id":\#(trip.id)"#, #""title":"\#(trip.title)""#]
        if let place = trip.place { members.append(#""place":\#(text(place))"#) }
        let stops = trip.stops.map { stop in
            object([#""id":\#(stop.id)"#, #""name":"\#(stop.name)""#], stop.new)
        }
        let legs = trip.legs.map { object([#""from":"\#($0.from)""#], $0.new) }
        let named = trip.named.map { #""\#($0)":\#(text($1))"# }
        members.append(#""stops":[\#(stops.joined(separator: ","))]"#)
        members.append(#""legs":[\#(legs.joined(separator: " , "))]"#)
        members.append(#""named":{\#(named.joined(separator: ","))}"#)
        members.append(#""tags":[]"#)
        return object(members, trip.new)
    }

    private mutating func text(_ place: NewTrip.Place) -> String {
        let zip = place.zip.map { [#""zip":\#($0)"#] } ?? []
        return object([#""city":"\#(place.city)""#] + zip, place.new)
    }

    private mutating func object(_ members: [String], _ field: NewField?) -> String {
        var members = members
        if let field, let json = json[field.number] {
            members.insert(json, at: Int.random(in: 0...members.count, using: &random))
        }
        return "{\(members.joined(separator: ","))}"
    }
}

extension NewTrip {
    /// The new fields of all objects.
    fileprivate var fields: [NewField] {
        ([new, place?.new] + stops.map(\.new) + legs.map(\.new) + named.values.map(\.new))
            .compactMap { $0 }
    }
}
