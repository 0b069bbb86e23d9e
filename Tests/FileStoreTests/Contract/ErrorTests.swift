import FileStore
import Testing

struct ErrorTests {
    @Test(
        arguments: [
            (.fileNotFound(path: "a/b"), "cannot find a/b: it does not exist"),
            (
                .fileAlreadyExists(path: "a/b"),
                "cannot overwrite a/b: it exists, and overwrite is false"
            ),
            (.writeFailed(path: "a/b", underlying: "why"), "cannot write a/b: why"),
            (.readFailed(path: "a/b", underlying: "why"), "cannot read a/b: why"),
            (.deleteFailed(path: "a/b", underlying: "why"), "cannot delete a/b: why"),
            (
                .directoryCreationFailed(path: "a/b", underlying: "why"),
                "cannot make the folder a/b: why"
            ),
            (.invalidPath(path: "a/b", reason: "why"), "cannot use the path a/b: why"),
            (
                .isDirectory(path: "a/b"),
                "cannot use the path a/b: a folder is where a file must be"
            ),
            (
                .notADirectory(path: "a/b"),
                "cannot use the path a/b: a file is where a folder must be"
            ),
            (
                .encodingFailed(path: "a/b", underlying: "why"),
                "cannot encode the value for a/b: why"
            ),
            (
                .decodingFailed(path: "a/b", underlying: "why"),
                "cannot decode the value in a/b: why"
            ),
        ] as [(FileStoreError, String)])
    func everyErrorIsOneLineWithItsPathAndReason(_ error: FileStoreError, _ line: String) {
        #expect(error.description == line)
        #expect("\(error as any Error)" == line)
    }
}
