import TestSupport
import Testing

@testable import JSONCodec

/// `old` is the line on disk, `before` what the type writes of it, `new` what it writes now.
struct UnknownMembersTests {
    func merge(_ old: String, _ before: String, _ new: String) throws -> String {
        let merged = try UnknownMembers.merge(
            Array(old.utf8)[...], into: Array(new.utf8)[...], hasOneOrder: false,
            before: { Array(before.utf8)[...] })
        return merged.map { String(decoding: $0, as: UTF8.self) } ?? new
    }

    @Test func unknownMemberStaysByteForByteInItsPlace() throws {
        let unknown = #""x" : [ 1.0,1E2,-0, "\u0041\/" ,{"a":1,"a":2}]"#
        #expect(
            try merge(
                #"{"id":1,\#(unknown),"t":"a"}"#, #"{"id":1,"t":"a"}"#, #"{"id":1,"t":"b"}"#)
                == #"{"id":1,\#(unknown),"t":"b"}"#)
    }

    @Test func removedMemberStaysRemovedAndNewOneIsAdded() throws {
        #expect(
            try merge(
                #"{"id":1,"note":"n","x":9}"#, #"{"id":1,"note":"n"}"#, #"{"id":1,"due":5}"#)
                == #"{"id":1,"x":9,"due":5}"#)
    }

    @Test func nullThatTheTypeReadsAsNothingGivesWayToAValue() throws {
        #expect(
            try merge(#"{"id":1,"note":null}"#, #"{"id":1}"#, #"{"id":1,"note":"n"}"#)
                == #"{"id":1,"note":"n"}"#)
        #expect(
            try merge(#"{"id":1,"note":null}"#, #"{"id":1}"#, #"{"id":2}"#)
                == #"{"id":2,"note":null}"#)
    }

    @Test func nestedUnknownMembersStay() throws {
        #expect(
            try merge(
                #"{"a":{"b":{"c":1,"x":true},"y":[]}}"#, #"{"a":{"b":{"c":1}}}"#,
                #"{"a":{"b":{"c":2}}}"#) == #"{"a":{"b":{"c":2,"x":true},"y":[]}}"#)
        #expect(
            try merge(#"{"a":{"c":1,"x":true}}"#, #"{"a":{"c":1}}"#, #"{"a":null}"#)
                == #"{"a":null}"#)
        #expect(
            try merge(#"{"a":{"c":1,"x":true}}"#, #"{"a":{"c":1}}"#, #"{"b":{"c":1}}"#)
                == #"{"b":{"c":1}}"#)
    }

    @Test func keysAreEqualHoweverTheyAreSpelled() throws {
        #expect(
            try merge(#"{"\u0061":1,"é":2,"x":3}"#, #"{"a":1,"é":2}"#, #"{"a":5,"é":6}"#)
                == #"{"a":5,"é":6,"x":3}"#)
        #expect(
            try merge(#"{"a":1,"\ud800":2,"\ud800":3}"#, #"{"a":1}"#, #"{"a":5}"#)
                == #"{"a":5,"\ud800":2,"\ud800":3}"#)
    }

    @Test func lineWithoutUnknownMembersIsWhatTheTypeWrites() throws {
        #expect(
            try merge(#"{ "t":"a", "n":1.0, "id":1 }"#, #"{"id":1,"n":1,"t":"a"}"#, #"{"id":2}"#)
                == #"{"id":2}"#)
        #expect(
            try merge(#"{"l":[{"a":1}]}"#, #"{"l":[{"a":1}]}"#, #"{"l":[{"a":1},{"a":2}]}"#)
                == #"{"l":[{"a":1},{"a":2}]}"#)
        #expect(try merge("{}", "{}", #"{"a":1}"#) == #"{"a":1}"#)
        #expect(try merge(#"{"a":1}"#, #"{"a":1}"#, "{ }") == "{ }")
        #expect(try merge(#"{"a":[ ]}"#, #"{"a":[]}"#, #"{"a":[1]}"#) == #"{"a":[1]}"#)
        #expect(try merge(#"{"a":[1]}"#, #"{"a":[1]}"#, #"{"a":[]}"#) == #"{"a":[]}"#)
        #expect(try merge(#"{"x":1}"#, "{}", #"{"a":1}"#) == #"{"x":1,"a":1}"#)
        #expect(try merge("5", "5", "[6]") == "[6]")
    }

    @Test func oldValueIsEncodedOnlyIfMoreThanValuesOfMembersDiffers() throws {
        let old = #"{"id":1,"l":[{"a":1.5},null],"n":10,"t":"a\n"}"#
        for (new, isEncoded) in [
            (old, false),
            (#"{"id":2,"l":[{"a":1.5},null],"n":11,"t":"b"}"#, false),
            // One element, and nothing after it.
            (#"{"id":2,"l":[{"a":-7},null],"n":10,"t":"a\n"}"#, false),
            // Several elements could be the same ones in another order.
            (#"{"id":1,"l":[{"a":-7},true],"n":10,"t":"a\n"}"#, true),
            (#"{"id":1,"l":[{"a":-7},null],"n":10,"t":"b"}"#, true),
            (#"{"id":2,"l":[{"a":1.5}],"n":10,"t":"b"}"#, true),
            (#"{"id":2,"l":[{"b":1.5},null],"n":10,"t":"b"}"#, true),
            (#"{"id":2,"l":[{"a":[]},null],"n":10,"t":""}"#, true),
            // The same values, spelled differently.
            (#"{"id":1,"l":[{"a":1.5},null],"n":1e1,"t":"b"}"#, true),
            (#"{"id":1,"l":[{"a":1.5},null],"n":10,"t":"\u0061\n"}"#, true),
            (#"{"id":1,"l":[{"a":1.5},null],"n":10, "t":"b"}"#, true),
        ] {
            var count = 0
            let merged = try UnknownMembers.merge(Array(old.utf8)[...], into: Array(new.utf8)[...])
            {
                count += 1
                // Every value has changed.
                return Array(#"{"id":0,"l":[],"n":0,"t":""}"#.utf8)[...]
            }
            #expect(merged == nil)
            #expect(count == (isEncoded ? 1 : 0), "\(new)")
        }
    }

    @Test func lineThatAnEncoderWithOneOrderWroteHasNothingToKeep() throws {
        let old = Array(#"{"a":1,"b":[1,2]}"#.utf8)[...]
        let new = Array(#"{"b":[2,1],"a":1}"#.utf8)[...]
        #expect(try UnknownMembers.merge(old, into: new) { old } == nil)
    }

    /// A member `t` has changed beside each of these.
    @Test(arguments: [
        // The elements of a set, and the members of a dictionary, have the order of an earlier process,
        (#"["b","a"]"#, #"["a","b"]"#, #"["a","b"]"#, #"["b","a"]"#),
        (
            #"{"b":1,"a":[2,3]}"#, #"{"a":[2,3],"b":1}"#, #"{"a":[2,3],"b":1}"#,
            #"{"b":1,"a":[2,3]}"#
        ),
        (#"[3,"x",1,"y"]"#, #"[1,"y",3,"x"]"#, #"[1,"y",3,"x"]"#, #"[3,"x",1,"y"]"#),
        // in one another,
        (
            #"[["b","a"],{"d":[2,1],"c":0}]"#, #"[{"c":0,"d":[1,2]},["a","b"]]"#,
            #"[{"c":0,"d":[1,2]},["a","b"]]"#, #"[["b","a"],{"d":[2,1],"c":0}]"#
        ),
        // and beside what has changed.
        (
            #"{"s":["b","a"],"n":1,"d":{"b":1,"a":2}}"#,
            #"{"s":["a","b"],"n":1,"d":{"a":2,"b":1}}"#,
            #"{"s":["a","b"],"n":2,"d":{"a":2,"b":1}}"#, #"{"s":["b","a"],"n":2,"d":{"b":1,"a":2}}"#
        ),
        (
            #"[{"id":1,"s":["b","a"],"n":1}]"#, #"[{"id":1,"s":["a","b"],"n":1}]"#,
            #"[{"id":1,"s":["a","b"],"n":2}]"#, #"[{"id":1,"s":["b","a"],"n":2}]"#
        ),
        (
            #"[{"s":["b","a"],"n":1}]"#, #"[{"s":["a","b"],"n":1}]"#,
            #"[{"s":["a","b"],"n":2}]"#, #"[{"s":["b","a"],"n":2}]"#
        ),
        // With members that the type does not know.
        (
            #"{"x":[2,1],"s":["b","a"],"n":1}"#, #"{"s":["a","b"],"n":1}"#,
            #"{"s":["a","b"],"n":2}"#, #"{"x":[2,1],"s":["b","a"],"n":2}"#
        ),
        (
            #"[{"n":2,"x":1},{"n":1}]"#, #"[{"n":1},{"n":2}]"#, #"[{"n":1},{"n":2}]"#,
            #"[{"n":2,"x":1},{"n":1}]"#
        ),
        // Another order that the encoder tells is a change: of an array,
        (#"["b","a"]"#, #"["b","a"]"#, #"["a","b"]"#, #"["a","b"]"#),
        (#"[[1],[2]]"#, #"[[1],[2]]"#, #"[[2],[1]]"#, #"[[2],[1]]"#),
        // but not of an object.
        (#"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#, #"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#),
        (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#, #"{"a":2,"b":1}"#, #"{"b":1,"a":2}"#),
        // Spelling and space of another writer stay as well,
        (
            #"{ "a":1.0, "s":["\u0062","a"] }"#, #"{"a":1,"s":["a","b"]}"#,
            #"{"a":1,"s":["a","b"]}"#,
            #"{ "a":1.0, "s":["\u0062","a"] }"#
        ),
        // but dates get the form that the encoder writes.
        ("5", #""2001-01-01T00:00:05Z""#, #""2001-01-01T00:00:05Z""#, #""2001-01-01T00:00:05Z""#),
        ("[6,5]", "[5,6]", "[5,7]", "[5,7]"),
        ("[1,1,2]", "[1,2,2]", "[1,2,2]", "[1,2,2]"),
    ])
    func valueThatDidNotChangeKeepsItsBytes(
        _ old: String, _ before: String, _ new: String, _ merged: String
    ) throws {
        #expect(
            try merge(#"{"v":\#(old),"t":0}"#, #"{"v":\#(before),"t":0}"#, #"{"v":\#(new),"t":1}"#)
                == #"{"v":\#(merged),"t":1}"#)
        #expect(
            try merge(#"{"t":[\#(old),3]}"#, #"{"t":[\#(before),3]}"#, #"{"t":[\#(new),3]}"#)
                == #"{"t":[\#(merged),3]}"#)
    }

    /// Arrays of objects with a known member `a` and an unknown member `x`.
    @Test(arguments: [
        // Elements with ids are found wherever they are.
        (
            #"[{"id":1,"a":1,"x":1},{"id":2,"a":2,"x":2}]"#, #"[{"id":1,"a":1},{"id":2,"a":2}]"#,
            #"[{"id":3,"a":2},{"id":2,"a":9}]"#, #"[{"id":3,"a":2},{"id":2,"a":9,"x":2}]"#
        ),
        // An id that two elements have says nothing.
        (
            #"[{"id":1,"a":1,"x":1},{"id":1,"a":2,"x":2}]"#, #"[{"id":1,"a":1},{"id":1,"a":2}]"#,
            #"[{"id":1,"a":9}]"#, #"[{"id":1,"a":9}]"#
        ),
        // Others are found if they did not change.
        (
            #"[{"a":1,"x":1},{"a":2,"x":2}]"#, #"[{"a":1},{"a":2}]"#,
            #"[{"a":3},{"a":2}, {"a":1}]"#, #"[{"a":3},{"a":2,"x":2},{"a":1,"x":1}]"#
        ),
        // One that changed is found at its position,
        (
            #"[{"a":1,"x":1},{"a":2,"x":2}]"#, #"[{"a":1},{"a":2}]"#,
            #"[{"a":1},{"a":9}]"#, #"[{"a":1,"x":1},{"a":9,"x":2}]"#
        ),
        // but not if others moved,
        (
            #"[{"a":1,"x":1},{"a":2,"x":2},{"a":3,"x":3}]"#, #"[{"a":1},{"a":2},{"a":3}]"#,
            #"[{"a":3},{"a":9},{"a":1}]"#, #"[{"a":3,"x":3},{"a":9},{"a":1,"x":1}]"#
        ),
        // nor if one was removed.
        (
            #"[{"a":1,"x":1},{"a":2,"x":2}]"#, #"[{"a":1},{"a":2}]"#, #"[{"a":9}]"#,
            #"[{"a":9}]"#
        ),
        // Several that changed are found if a part of each did not.
        (
            #"[{"a":1,"b":false,"x":1},{"a":2,"b":false,"x":2}]"#,
            #"[{"a":1,"b":false},{"a":2,"b":false}]"#, #"[{"a":1,"b":true},{"a":2,"b":true}]"#,
            #"[{"a":1,"b":true,"x":1},{"a":2,"b":true,"x":2}]"#
        ),
        (
            #"[{"a":1,"b":false,"x":1},{"a":2,"b":false,"x":2}]"#,
            #"[{"a":1,"b":false},{"a":2,"b":false}]"#, #"[{"a":8,"b":false},{"a":9,"b":false}]"#,
            #"[{"a":8,"b":false},{"a":9,"b":false}]"#
        ),
        // Nobody knows which of two equal elements was removed.
        (
            #"[{"a":1,"x":1},{"a":1,"x":2}]"#, #"[{"a":1},{"a":1}]"#, #"[{"a":1}]"#,
            #"[{"a":1}]"#
        ),
        // A type that writes its elements in another order, as a set does.
        (
            #"[{"a":1,"x":1},{"a":2,"x":2},{"a":3,"x":3}]"#, #"[{"a":3},{"a":2},{"a":1}]"#,
            #"[{"a":3},{"a":2},{"a":9}]"#, #"[{"a":3},{"a":2},{"a":9}]"#
        ),
        // A type that leaves elements out.
        (#"[{"a":1},7,{"a":2,"x":2}]"#, #"[{"a":1}]"#, #"[{"a":5}]"#, #"[{"a":5}]"#),
        // The same values, spelled differently.
        (
            #"[{"a":1.0,"d":0,"s":"\u0041","x":1}]"#,
            #"[{"a":1,"d":"2001-01-01T00:00:00Z","s":"A"}]"#,
            #"[{"a":2,"d":"2001-01-01T00:00:00Z","s":"B"}]"#,
            #"[{"a":2,"d":"2001-01-01T00:00:00Z","s":"B","x":1}]"#
        ),
    ])
    func elementsKeepUnknownMembersOnlyIfTheyAreTheSame(
        _ old: String, _ before: String, _ new: String, _ merged: String
    ) throws {
        let text = new.replacing(" ", with: "")
        #expect(try merge(old, before, text) == merged)
        // Below other values as well.
        #expect(
            try merge(#"{"l":[\#(old)],"n":1}"#, #"{"l":[\#(before)],"n":1}"#, #"{"l":[\#(text)]}"#)
                == #"{"l":[\#(merged)]}"#)
    }

    @Test func arrayThatDidNotChangeStaysWithAllItsElements() throws {
        #expect(
            try merge(
                #"{"l":[{"a":1,"x":1},{"a":1,"x":2},7],"n":1}"#, #"{"l":[{"a":1},{"a":1}],"n":1}"#,
                #"{"l":[{"a":1},{"a":1}],"n":2}"#)
                == #"{"l":[{"a":1,"x":1},{"a":1,"x":2},7],"n":2}"#)
    }
}
