import Foundation

/// The bare system calls for a change of two indexes in two folders, with the files that move between the folders.
///
/// They append to a journal on each side, with the fewest syncs that any protocol needs whose result depends on one side
/// only once it has returned: one side writes down its part, the other one decides, and the first one notes that. If files
/// move, both sides are written down first, and both folders are synced after the renames.
struct BareTreeWrite {
    private var journals: [AppendedFile]
    private let assets: [URL]
    /// For each of the two folders, the URLs that the files have there.
    private let files: [[URL]]
    private let record: [UInt8]

    /// Makes the two folders in `scratch`, the first with all files; `record` is the part of each side.
    init(moving names: [String] = [], record: [UInt8], in scratch: Scratch) throws {
        journals = try ["0", "1"].map {
            try AppendedFile(scratch.makeFolder($0).appending(path: ".items.journal"))
        }
        assets = try names.isEmpty ? [] : ["0/photos", "1/photos"].map(scratch.makeFolder)
        files = assets.map { folder in names.map { folder.appending(path: $0) } }
        self.record = record
        for file in files.first ?? [] {
            try SystemCalls.create(file, Array(file.lastPathComponent.utf8))
        }
    }

    /// Changes both indexes, and moves all files from one folder to the other: 3 syncs, or 6 with files.
    mutating func run(from source: Int, to target: Int) throws {
        if !files.isEmpty { try append(record, to: target) }
        try append(record, to: source)
        if !files.isEmpty {
            for (file, new) in zip(files[source], files[target]) {
                try SystemCalls.move(file, to: new)
            }
            try SystemCalls.sync(assets[target])
            try SystemCalls.sync(assets[source])
        }
        try append(files.isEmpty ? record : Self.mark, to: target)
        try append(Self.mark, to: source)
    }

    private mutating func append(_ bytes: [UInt8], to side: Int) throws {
        try journals[side].append(bytes)
        try journals[side].sync()
    }

    /// As long as a record without a part.
    private static let mark = [UInt8](repeating: UInt8(ascii: "*"), count: 80)
}
