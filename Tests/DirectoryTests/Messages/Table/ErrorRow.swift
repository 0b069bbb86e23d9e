import DirectoryTestSupport
import Foundation
import Testing

@testable import AppFolders
@testable import Directory
@testable import DirectoryReplicas
@testable import FileStore
@testable import Preferences

/// An error of one of the five libraries, made as a call makes it.
struct ErrorRow: CustomTestStringConvertible {
    let library: String
    let code: String
    let error: any Error

    init(_ library: String, _ code: String, _ error: any Error) {
        (self.library, self.code, self.error) = (library, code, error)
    }

    var testDescription: String { "\(library) \(code)" }
}

extension ErrorRow {
    /// One error of each code of each library.
    static let all = directory + replicas + fileStore + appFolders + preferences

    /// What no text for people may repeat.
    private static let reason = "errno 5: close() of /store/notes.json at index 7 failed"
    private static let id = "6F9619FF-8B86-D011-B42D-00CF4FC964FF"
    private static let folder = URL(filePath: "/store/\(id)")

    private static let directory = declared("Directory").map { code in
        ErrorRow(
            "Directory", code,
            DirectoryError(
                .init(rawValue: code), "change", folder.appending(path: "expeditions.json"), reason)
        )
    }

    private static let replicas = declared("DirectoryReplicas").map { code in
        ErrorRow(
            "DirectoryReplicas", code,
            ReplicaError(.init(rawValue: code), folder, reason))
    }

    private static let fileStore: [ErrorRow] = [
        FileStoreError.fileNotFound(path: "moons/europa.jpg"),
        .fileAlreadyExists(path: "moons/europa.jpg"),
        .writeFailed(path: "moons/europa.json", underlying: reason),
        .deleteFailed(path: "moons/\(id).jpg", underlying: reason),
        .directoryCreationFailed(path: "photos/moons", underlying: reason),
        .readFailed(path: "moons/europa.jpg", underlying: reason),
        .invalidPath(path: "../europa.jpg", reason: reason), .isDirectory(path: "photos/moons"),
        .notADirectory(path: "moons/europa.jpg"),
        .encodingFailed(path: "moons/europa.json", underlying: reason),
        .decodingFailed(path: "moons/europa.json", underlying: reason),
    ].map { error in
        ErrorRow("FileStore", Mirror(reflecting: error).children.first?.label ?? "", error)
    }

    private static let appFolders = declared("AppFolders").map { code in
        ErrorRow(
            "AppFolders", code,
            AppFolderError(
                .init(description: code),
                at: code == "noGroup" ? nil : URL(filePath: "/app/Sessions"), reason))
    }

    private static let preferences = [
        ("unreadable", PreferenceError.Code.unreadable), ("partlyUnreadable", .partlyUnreadable),
        ("unwritable", .unwritable), ("unsaved", .unsaved),
    ].map { name, code in
        ErrorRow(
            "Preferences", name, PreferenceError(code: code, key: "sortOrder", underlyingError: nil)
        )
    }
}

extension ErrorRow {
    /// The file that declares the codes of each library, in `Sources`.
    static let files = [
        "Directory": "Directory/Collection/Values/Errors/DirectoryError+Code.swift",
        "DirectoryReplicas": "DirectoryReplicas/Replica/ReplicaError.swift",
        "FileStore": "FileStore/Stores/FileStoreError.swift",
        "AppFolders": "AppFolders/AppFolderError.swift",
        "Preferences": "Preferences/PreferenceError.swift",
    ]

    /// The names of the codes that the source of `library` declares.
    static func declared(_ library: String) -> [String] {
        let url = Fixtures.repository.appending(path: "Sources/\(files[library] ?? "")")
        let source = (try? String(contentsOf: url, encoding: .utf8)) ?? ""
        return source.matches(
            of: #/(?m)^ +(?:public static let (\w+) = Code\(|case (\w+)\(path: String)/#
        )
        .map { String($0.1 ?? $0.2 ?? "") }
    }
}
