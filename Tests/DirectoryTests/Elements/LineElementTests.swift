import Testing

@testable import Directory

/// Elements whose type is not known, which are compared by their JSON.
struct LineElementTests {
    private func id(_ line: String) -> ElementID { LineElement(Array(line.utf8)[...]).id }

    @Test(arguments: [
        #"{"a" : "b\" c", "d":[ 1,2 ]}"#, "{\t\"a\":\"b\\\" c\",\r\n\"d\":[1,\n2]}",
    ])
    func whiteSpaceBetweenTokensDoesNotCount(line: String) {
        #expect(id(line) == id(#"{"a":"b\" c","d":[1,2]}"#))
    }

    @Test(arguments: [
        (#"{"id":"a b"}"#, #"{"id":"ab"}"#), (#"{"id":"a\" b"}"#, #"{"id":"a\"b"}"#),
        (#"{"a ":1}"#, #"{"a":1}"#),
    ])
    func whiteSpaceInStringsCounts(_ lines: (String, String)) {
        #expect(id(lines.0) != id(lines.1))
    }
}
