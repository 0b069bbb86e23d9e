import FileSystem
import Foundation

/// The names that belong to one index in its folder.
struct IndexNames: Sendable, Hashable {
    /// The index itself: `projects.json`.
    let index: FileName
    /// The index without its extension: `projects`; also the folder of its assets.
    let stem: FileName
    /// The lock file, which also has the generation: `.projects.lock`.
    let lock: FileName
    /// The commits that the index does not hold yet: `.projects.journal`.
    let journal: FileName
    /// The mark in the folder of a container that is not committed yet: `.projects.new`.
    let mark: FileName

    /// The folder in which the seed library kept the assets; nil for an index that it did not have.
    let seedAssets: FileName?

    /// The folder of stages, and of transactions that have not ended.
    static let staging: FileName = ".staging"
    /// The folder of files that committed transactions removed.
    static let trash: FileName = ".trash"
    /// The folder of items that were removed recently and can be brought back.
    static let removed: FileName = ".removed"
    /// The file that Finder leaves in each folder that it shows.
    static let finder: FileName = ".DS_Store"

    /// Creates the names of the index `name`.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if `name` is hidden, does not end in
    ///   `.json`, has a stem that ends in `.recovered`, or is too long for the names made of it.
    init(_ name: String, in folder: @autoclosure () -> URL) throws {
        if let fault = NameFault(of: name, maximum: Self.maximumLength) {
            throw Self.invalid(name, fault, folder())
        }
        index = try FileName(validating: name)
        // Every other extension is refused, because two indexes with one stem would share all other names.
        guard let stem = FileRole.index.stem(of: index) else {
            let fault = NameFault(
                "does not end in \(Self.suffix)", "such as projects\(Self.suffix)")
            throw Self.invalid(name, fault, folder())
        }
        if NameRules.isRecovered(stem) {
            throw Self.invalid(name, .reserved(".recovered\(Self.suffix)"), folder())
        }
        self.stem = stem
        lock = try FileRole.lock.name(stem)
        journal = try FileRole.journal.name(stem)
        mark = try FileRole.mark.name(stem)
        seedAssets = stem == "photos" ? "Photos" : nil
    }

    /// Creates the names of the index with `stem`, such as `projects`.
    ///
    /// - Throws: ``DirectoryError`` with `invalidLocation` if no index can have it.
    init(stem: String, in folder: @autoclosure () -> URL) throws {
        try self.init("\(stem)\(Self.suffix)", in: folder())
    }

    /// The names of the index with `stem`; nil if no index can have it.
    init?(stem: FileName, in folder: @autoclosure () -> URL) {
        guard let text = stem.exactString, let names = try? Self(stem: text, in: folder()) else {
            return nil
        }
        self = names
    }

    /// In bytes: the longest name of an index, which leaves room for those of its temporary files.
    private static let maximumLength =
        FileName.maximumLength + suffix.utf8.count
        - (RandomName.digitCount + "..\(FileRole.temporary.rawValue)".utf8.count)

    private static func invalid(_ name: String, _ fault: NameFault, _ folder: URL) -> DirectoryError
    {
        var error = fault.error(.invalidLocation, name, in: folder)
        error.wording = .init(usual: error.code, name: error.wording.name)
        return error
    }

    /// The names that the folder of the assets can have.
    var assetsNames: [FileName] { [stem] + [seedAssets].compactMap(\.self) }

    /// The visible folder of files and lines that repairs and ended conflicts set aside: `projects.recovered`.
    var recovered: FileName {
        get throws { try FileName(validating: "\(stem).recovered") }
    }

    /// The name of a new file in ``recovered`` for the lines that a repair sets aside.
    static func newFileOfLines() throws -> FileName {
        try FileName(validating: "items-\(RandomName.digits())\(suffix)")
    }

    /// Whether `name` is one that ``newFileOfLines()`` makes.
    static func isFileOfLines(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: "items-", suffix: suffix)
    }

    /// The manifest of a copy: `.projects.copy`.
    var copyManifest: FileName {
        get throws { try FileRole.manifest.name(stem) }
    }

    /// The name of a new temporary file that may become the index or the journal.
    func newTemporary() throws -> FileName { try FileRole.temporary.name(stem) }

    /// The name of the folder of a transaction in `.staging`, of a process's kept files in `.trash`, or of removed
    /// items in `.removed`.
    func transactionFolder(_ transaction: String = RandomName.digits()) throws -> FileName {
        try FileName(validating: "\(stem)~\(transaction)")
    }

    /// The names of the index whose transaction has the folder `name`; nil if that is no transaction's folder.
    init?(ofTransaction name: FileName, in folder: @autoclosure () -> URL) {
        let stem = String(name.string.dropLast(RandomName.digitCount + 1))
        guard let names = try? IndexNames(stem: stem, in: folder()),
            names.isTransactionFolder(name)
        else { return nil }
        self = names
    }

    /// The digits of the transaction whose folder is `name`.
    static func transaction(of name: FileName) -> String {
        String(name.string.suffix(RandomName.digitCount))
    }

    /// Whether `name` is one that ``newTemporary()`` makes.
    func isTemporary(_ name: FileName) -> Bool { FileRole.temporary.stem(of: name) == stem }

    /// Whether `name` is one that ``transactionFolder(_:)`` makes.
    func isTransactionFolder(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: "\(stem)~")
    }
}

extension IndexNames {
    private static let suffix = FileRole.index.rawValue

    /// Those of `names`, all names in one folder, that belong to the library alone: the hidden files and folders of
    /// `indexes` and of all other indexes in the folder.
    static func own(
        among names: [FileName], _ indexes: [IndexNames], in folder: @autoclosure () -> URL
    ) -> Set<FileName> {
        let hidden = names.filter(\.isHidden)
        if hidden.isEmpty { return [] }
        let others = names.compactMap { name in
            FileRole.index.stem(of: name).flatMap { IndexNames(stem: $0, in: folder()) }
        }
        let all = others + indexes
        let stems = Set(all.map(\.stem))
        let roles: [FileRole] = [.journal, .mark, .manifest, .temporary]
        return Set(
            hidden.filter { name in
                // A lock file can come before its index.
                FileRole.lock.matches(name) || [staging, trash, removed].contains(name)
                    || roles.contains { $0.stem(of: name).map(stems.contains) == true }
            })
    }
}
