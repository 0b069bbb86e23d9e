import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct EvolutionTests {
        @Test func eachVersionKeepsWhatTheOthersWrote() throws {
            let folder = try TemporaryFolder()
            let printed = try run("sample-evolution", [folder.url.path])
            #expect(
                printed == """
                    Version 1 adds two books:
                    [
                    {"id":1,"title":"Emma"},
                    {"id":2,"title":"Ulisses"}
                    ]

                    Version 2 rates a book, and puts it on a shelf:
                    [
                    {"id":1,"title":"Emma"},
                    {"id":2,"title":"Ulisses","rating":5,"shelf":{"room":"Hall","row":3}}
                    ]

                    Version 1 corrects its title: rating and shelf stay:
                    [
                    {"id":1,"title":"Emma"},
                    {"id":2,"title":"Ulysses","rating":5,"shelf":{"room":"Hall","row":3}}
                    ]

                    Version 3 moves it, as an audio book: rating and row stay:
                    [
                    {"id":1,"title":"Emma"},
                    {"id":2,"title":"Ulysses","rating":5,"shelf":{"room":"Study","row":3},"format":"audio"}
                    ]

                    Version 2 takes the rating back: format and row stay:
                    [
                    {"id":1,"title":"Emma"},
                    {"id":2,"title":"Ulysses","shelf":{"room":"Study","row":3},"format":"audio"}
                    ]


                    """)
        }
    }
#endif
