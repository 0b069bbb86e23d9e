import AppFolders
import Foundation
import TestSupport
import Testing

/// Runs `body` with a root in a new temporary folder, which is deleted afterwards.
func withRoot(_ body: (FolderRoot) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "AppFolders-\(UUID())", directoryHint: .isDirectory)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(FolderRoot(at: folder))
}

/// Expects `body` to throw an `AppFolderError` with `code`.
@discardableResult
func expect(
    _ code: AppFolderError.Code, sourceLocation: SourceLocation = #_sourceLocation,
    from body: () throws -> Void
) -> AppFolderError? {
    let error = #expect(
        throws: AppFolderError.self, sourceLocation: sourceLocation, performing: body)
    #expect(error?.code == code, sourceLocation: sourceLocation)
    return error
}

extension URL {
    var path: String { path(percentEncoded: false) }

    var exists: Bool { (try? FileManager.default.attributesOfItem(atPath: path)) != nil }

    /// Writes a file at `subpath`, last modified `age` seconds ago, and returns its URL.
    @discardableResult
    func write(_ subpath: String, age: TimeInterval = 0) throws -> URL {
        let file = appending(path: subpath, directoryHint: .notDirectory)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(subpath.utf8).write(to: file)
        try file.setAge(age)
        return file
    }

    func setAge(_ age: TimeInterval) throws {
        try FileManager.default.setAge(age, ofItemAtPath: path)
    }
}

extension Date {
    static var anHourAgo: Date { .now.addingTimeInterval(-3600) }
}
