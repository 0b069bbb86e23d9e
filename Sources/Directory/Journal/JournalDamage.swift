/// Bytes of a journal that were on stable storage have changed.
struct JournalDamage: Error, Hashable {
    /// Where the first damaged header or record begins.
    var offset: Int
}
