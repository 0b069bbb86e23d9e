import Foundation
import TestSupport
import Testing

/// What the check of a stressed tree calls a fault.
struct HistoryTests {
    /// The faults if the processes wrote these logs, and these items, with their containers, are
    /// there.
    private func faults(_ logs: [String], _ items: [String: String]) throws -> [String] {
        let folder = try TemporaryFolder()
        for (number, log) in logs.enumerated() {
            try Data("\(log)\n".utf8).write(to: folder.url.appending(path: "\(number).log"))
        }
        let found = Found(items: items.mapValues { Found.Item(container: $0, title: "0") })
        return try History(logs: folder.url).check(found).faults
    }

    private let start = """
        1 begin add root c1; call c1 Ab
        2 done add root c1; call c1 Ab
        3 begin add c1 p1
        4 done add c1 p1
        """

    @Test func acknowledgedItemMustBeThereAndNowhereElse() throws {
        #expect(try faults([start], ["c1": "root", "p1": "c1"]) == [])
        #expect(try faults([start], ["c1": "root"]) == ["p1 was added and is lost"])
        let elsewhere = try faults([start], ["c1": "root", "p1": "c2"])
        #expect(elsewhere == [#"p1 is in c2 and not in ["c1"]"#])
    }

    @Test func itemOfARemovedContainerMayBeGoneButNotOneThatLeftItBefore() throws {
        let other = "1 begin add root c2\n2 done add root c2"
        let removal = "8 begin remove root c1\n9 done remove root c1"
        #expect(try faults([start, other, removal], ["c2": "root"]) == [])
        let move = "5 begin move c1 c2 p1\n6 done move c1 c2 p1"
        let moved = [start, other, move, removal]
        #expect(try faults(moved, ["c2": "root", "p1": "c2"]) == [])
        #expect(try faults(moved, ["c2": "root"]) == ["p1 was added and is lost"])
        let killed = [start, other, "5 begin move c1 c2 p1\n6 killed", removal]
        #expect(try faults(killed, ["c2": "root", "p1": "c2"]) == [])
        #expect(try faults(killed, ["c2": "root"]) == [])
    }

    @Test func removedItemMustNotBeThere() throws {
        let removal = "5 begin remove c1 p1\n6 done remove c1 p1"
        #expect(try faults([start, removal], ["c1": "root"]) == [])
        let found = try faults([start, removal], ["c1": "root", "p1": "c1"])
        #expect(found == ["p1 was removed and is there"])
        let killed = "5 begin remove c1 p1\n6 killed"
        for items in [["c1": "root"], ["c1": "root", "p1": "c1"]] {
            #expect(try faults([start, killed], items) == [])
        }
    }

    @Test func failedChangeMustNotBeThereAndAcknowledgedUpdateMust() throws {
        let failed = "5 begin add c1 p2\n6 failed locked add c1 p2"
        let found = try faults([start, failed], ["c1": "root", "p1": "c1", "p2": "c1"])
        #expect(found.contains("p2 was never added and is there"))
        let update =
            "5 begin add c1 n1\n6 done add c1 n1\n7 begin update c1 n1\n8 done update c1 n1"
        let lost = try faults([start, update], ["c1": "root", "p1": "c1", "n1": "c1"])
        #expect(lost == ["n1 has the number 0 and not one of 1...1"])
    }
}
