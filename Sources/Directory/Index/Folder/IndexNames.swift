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
        let fault =
            NameFault(of: name, maximum: Self.maximumLength)
            // Every other extension is refused, because two indexes with one stem would share all other names.
            ?? (name.utf8.suffix(Self.suffix.utf8.count).elementsEqual(Self.suffix.utf8)
                ? nil
                : NameFault("does not end in \(Self.suffix)", "such as projects\(Self.suffix)"))
        if let fault { throw Self.invalid(name, fault, folder()) }
        let index = try FileName(validating: name)
        let stem = Self.stem(of: index)
        if NameRules.isRecovered(stem) {
            throw Self.invalid(name, .reserved(".recovered\(Self.suffix)"), folder())
        }
        let (lock, journal, mark) = (".\(stem).lock", ".\(stem).journal", ".\(stem).new")
        self.index = index
        self.stem = stem
        self.lock = try FileName(validating: lock)
        self.journal = try FileName(validating: journal)
        self.mark = try FileName(validating: mark)
    }

    /// In bytes: the longest name of an index, which leaves room for those of its temporary files.
    private static let maximumLength =
        FileName.maximumLength + suffix.utf8.count
        - temporary("", String(repeating: "0", count: RandomName.digitCount)).utf8.count

    private static func invalid(_ name: String, _ fault: NameFault, _ folder: URL) -> DirectoryError
    {
        var error = fault.error(.invalidLocation, name, in: folder)
        error.wording.remedy = error.code.advice
        return error
    }

    /// The visible folder of files and lines that repairs and ended conflicts set aside: `projects.recovered`.
    var recovered: FileName {
        get throws { try FileName(validating: "\(stem).recovered") }
    }

    /// The name of a new file in ``recovered`` for the lines that a repair sets aside.
    static func newFileOfLines() throws -> FileName {
        try FileName(validating: "items-\(RandomName.digits()).json")
    }

    /// Whether `name` is one that ``newFileOfLines()`` makes.
    static func isFileOfLines(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: "items-", suffix: ".json")
    }

    /// The manifest of a copy: `.projects.copy`.
    var copyManifest: FileName {
        get throws { try FileName(validating: ".\(stem).copy") }
    }

    /// The name of a new temporary file that may become the index or the journal.
    func newTemporary() throws -> FileName {
        try FileName(validating: Self.temporary(stem.string, RandomName.digits()))
    }

    /// The name of the folder of a transaction in `.staging`, of a process's kept files in `.trash`, or of removed
    /// items in `.removed`.
    func transactionFolder(_ transaction: String = RandomName.digits()) throws -> FileName {
        try FileName(validating: "\(stem)~\(transaction)")
    }

    /// The names of the index whose transaction has the folder `name`; nil if that is no transaction's folder.
    init?(ofTransaction name: FileName, in folder: @autoclosure () -> URL) {
        let stem = String(name.string.dropLast(RandomName.digitCount + 1))
        guard let names = try? IndexNames("\(stem).json", in: folder()),
            names.isTransactionFolder(name)
        else { return nil }
        self = names
    }

    /// The digits of the transaction whose folder is `name`.
    static func transaction(of name: FileName) -> String {
        String(name.string.suffix(RandomName.digitCount))
    }

    /// Whether `name` is one that ``newTemporary()`` makes.
    func isTemporary(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: ".\(stem).", suffix: ".tmp")
    }

    /// Whether `name` is one that ``transactionFolder(_:)`` makes.
    func isTransactionFolder(_ name: FileName) -> Bool {
        RandomName.matches(name, prefix: "\(stem)~")
    }

    private static func temporary(_ stem: String, _ transaction: String) -> String {
        ".\(stem).\(transaction).tmp"
    }
}

extension IndexNames {
    private static let suffix = ".json"

    /// Whether `name` is that of a visible index.
    static func isIndex(_ name: FileName) -> Bool {
        let bytes = name.bytes
        return !name.isHidden && bytes.count > suffix.utf8.count
            && bytes.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
    }

    /// Whether `name` is that of the lock file of an index.
    static func isLock(_ name: FileName) -> Bool {
        name.isHidden && name.string.hasSuffix(".lock")
    }

    /// Whether `name` is that of the manifest of a copy.
    static func isCopyManifest(_ name: FileName) -> Bool {
        name.isHidden && name.string.hasSuffix(".copy")
    }

    /// The stem of the index that has the lock file `name`; nil if that is no lock file.
    static func stem(ofLock name: FileName) -> FileName? {
        guard isLock(name) else { return nil }
        return FileName(bytes: Array(name.bytes.dropFirst().dropLast(".lock".utf8.count)))
    }

    /// The stem of the index that has the journal `name`; nil if that is no journal.
    static func stem(ofJournal name: FileName) -> FileName? {
        guard name.isHidden, name.string.hasSuffix(".journal") else { return nil }
        return FileName(bytes: Array(name.bytes.dropFirst().dropLast(".journal".utf8.count)))
    }

    /// Those of `names`, all names in one folder, that belong to the library alone: the hidden files and folders of
    /// `indexes` and of all other indexes in the folder.
    static func own(
        among names: [FileName], _ indexes: [IndexNames], in folder: @autoclosure () -> URL
    ) -> Set<FileName> {
        let hidden = names.filter(\.isHidden)
        if hidden.isEmpty { return [] }
        let others = names.filter(isIndex).compactMap { try? IndexNames($0.string, in: folder()) }
        let all = others + indexes
        let own = Set(
            all.flatMap { [$0.journal, $0.mark] + [try? $0.copyManifest].compactMap(\.self) })
        return Set(
            hidden.filter { name in
                // A lock file can come before its index.
                isLock(name) || [staging, trash, removed].contains(name) || own.contains(name)
                    || all.contains { $0.isTemporary(name) }
            })
    }

    /// The stem of an index.
    static func stem(of index: FileName) -> FileName {
        // An index has bytes before its suffix, so there is a name.
        FileName(bytes: Array(index.bytes.dropLast(suffix.utf8.count))) ?? index
    }
}
