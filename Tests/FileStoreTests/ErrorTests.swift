import FileStore
import Foundation
import Testing

@Suite struct ErrorTests {
    @Test(
        arguments: [
            (.fileNotFound(path: "a/b"), "there is no file at a/b"),
            (.fileAlreadyExists(path: "a/b"), "a/b already exists, and was not to be overwritten"),
            (.writeFailed(path: "a/b", underlying: "why"), "cannot write a/b: why"),
            (.readFailed(path: "a/b", underlying: "why"), "cannot read a/b: why"),
            (.deleteFailed(path: "a/b", underlying: "why"), "cannot delete a/b: why"),
            (
                .directoryCreationFailed(path: "a/b", underlying: "why"),
                "cannot make the folder a/b: why"
            ),
            (.invalidPath(path: "a/b", reason: "why"), "cannot use the path a/b: why"),
            (.isDirectory(path: "a/b"), "a/b is a folder, not a file"),
            (.notADirectory(path: "a/b"), "a/b is a file, or leads through one, not a folder"),
            (
                .encodingFailed(path: "a/b", underlying: "why"),
                "cannot encode the value for a/b: why"
            ),
            (
                .decodingFailed(path: "a/b", underlying: "why"),
                "a/b does not hold such a value: why"
            ),
        ] as [(FileStoreError, String)])
    func everyErrorIsOneLineWithItsPathAndReason(_ error: FileStoreError, _ line: String) {
        #expect(error.localizedDescription == line)
        #expect((error as any Error).localizedDescription == line)
    }
}
