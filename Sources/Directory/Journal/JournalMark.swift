/// The mark of an index that has a journal: a space behind the bracket at its beginning.
///
/// Tools that copy files often leave out hidden ones. Without its journal, an index with the mark is an earlier state,
/// and a reader says so. No program writes these bytes by chance: a space at the end of a line means nothing.
enum JournalMark {
    /// The first bytes of an index with the mark, and of one without it.
    static let (marked, unmarked) = (Array("[ \n".utf8), Array("[\n".utf8))

    static func isIn(_ index: [UInt8]) -> Bool { index.starts(with: marked) }

    /// `index` with the mark; nil if it does not begin with a bracket and a newline.
    static func add(to index: [UInt8]) -> [UInt8]? {
        index.starts(with: unmarked) ? marked + index.dropFirst(unmarked.count) : nil
    }

    /// `index` without the mark.
    static func remove(from index: [UInt8]) -> [UInt8] {
        isIn(index) ? unmarked + index.dropFirst(marked.count) : index
    }
}
