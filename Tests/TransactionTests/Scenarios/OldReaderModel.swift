import Directory
import Foundation
import TestSupport

/// What an older version of an app knows of a trip.
struct OldTrip: Container, Equatable {
    struct Place: Codable, Equatable, Sendable {
        var city: String
        var zip: Int?
    }

    struct Stop: Codable, Equatable, Sendable {
        var id: Int
        var name: String
    }

    struct Leg: Codable, Equatable, Sendable {
        var from: String
        var distance: Double?
    }

    var id: Int
    var title: String
    var note: String?
    var place: Place?
    var stops: [Stop] = []
    var legs: [Leg] = []
    var named: [String: Place] = [:]
    var tags: [String] = []

    var folderName: String { "trip \(id)" }
}

/// What a newer version knows: every object has one more member, whose value is kept as it is read.
struct NewTrip: Container, Equatable {
    struct Place: Codable, Equatable, Sendable {
        var city: String
        var zip: Int?
        var new: NewField?
    }

    struct Stop: Codable, Equatable, Sendable {
        var id: Int
        var name: String
        var new: NewField?
    }

    struct Leg: Codable, Equatable, Sendable {
        var from: String
        var distance: Double?
        var new: NewField?
    }

    var id: Int
    var title: String
    var note: String?
    var place: Place?
    var stops: [Stop] = []
    var legs: [Leg] = []
    var named: [String: Place] = [:]
    var tags: [String] = []
    var new: NewField?

    var folderName: String { "trip \(id)" }
}

/// A member of the newer version: a unique number, and a text of JSON around it.
struct NewField: Codable, Equatable, Sendable {
    var number: Int
    var more: [Double]?

    /// Its JSON in one of many spellings; each contains the number.
    func json(_ random: inout SeededGenerator) -> String {
        let space = ["", " ", "  "].randomElement(using: &random) ?? ""
        let more = more.map { list in
            let numbers = list.map { number in
                ["\(number)", "\(number)e0", "\(number)0"].randomElement(using: &random) ?? ""
            }
            return #","more"\#(space):[\#(numbers.joined(separator: ",\(space)"))]"#
        }
        let other = [
            "", #","y":{"y":[null,{}],"y":"\u0041\/"}"#, #","z":-0"#, #","é":"\ud83d\ude00""#,
        ].randomElement(using: &random)
        return #"{\#(space)"number":\#(space)\#(number)\#(more ?? "")\#(other ?? "")}"#
    }
}
