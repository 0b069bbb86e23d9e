import FileSystem
import Testing

struct SystemRefusalTests {
    /// The end of a text for developers tells the refusal, so one must not be the end of another.
    @Test func eachHasAdviceForDevelopersOfItsOwn() {
        #expect(SystemRefusal.all.count == 8)
        for refusal in SystemRefusal.all {
            let found = SystemRefusal.all.filter { $0.remedy.hasSuffix(refusal.remedy) }
            #expect(found == [refusal])
        }
    }

    @Test(arguments: [Errno.noSpace, .readOnly, .accessDenied, .crossDevice, .deadlock])
    func messageEndsWithTheAdvice(_ code: Errno) throws {
        let error = FileSystemError("write", "/a", code)
        let remedy = try #require(error.refusal?.remedy)
        #expect(error.message == "cannot write /a: \(code.reason). \(remedy)")
    }

    @Test func otherErrorsHaveNoAdvice() {
        let error = FileSystemError("write", "/a", .ioError)
        #expect(error.refusal == nil && error.message == error.description)
    }
}
