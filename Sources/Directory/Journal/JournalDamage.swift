/// Bytes of a journal have changed that were on stable storage.
struct JournalDamage: Error, Hashable {
    /// Where the first damaged header or record begins.
    var offset: Int
}
