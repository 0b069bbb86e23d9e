/// The mutants that break no promise, and why.
enum HarmlessMutants {
    static let all = Set(byReason.values.joined())

    private static let byReason: [String: [String]] = [
        """
        What is made is empty, and means nothing before something is in it or it has another name.
        """: [
            "make ./temporary, then sync .",
            "make ./temporary, then sync ./photos",
            "make ./temporary, then sync ./.staging/transaction",
            "make ./.staging, then sync .",
            "make ./.staging/transaction, then sync .",
            "make ./.staging/transaction/1, then sync ./.staging",
            "make ./.staging/transaction/intent, then sync ./.staging",
            "make ./.staging/transaction/intent, then sync ./.staging/transaction/2",
            "make ./.trash, then sync ./.staging/transaction",
            "make ./.trash/transaction, then sync .",
            "make source/.staging, then sync /store",
            "make source/.staging/transaction, then sync source",
            "make source/.staging/transaction/intent, then sync source/.staging",
            "make source/temporary, then sync target",
            "make source/temporary, then sync target/journal",
            "make target/.staging, then sync source/.staging/transaction",
            "make target/.staging/transaction, then sync target",
            "make target/.staging/transaction/intent, then sync target/.staging",
            "make target/photos, then sync target/.staging/transaction",
            "make target/temporary, then sync source",
            "make target/temporary, then sync source/photos",
        ],
        "The next sync of the same folder comes before anything relies on this one.": [
            // The staging folder is made and synced next.
            "no sync . after make ./S5",
            "sync ., then make ./S5",
            // The transfer ends with a sync of the folder, before it is acknowledged.
            "no sync source after remove source/journal",
            "sync source, then remove source/journal",
        ],
        """
        What is moved between folders keeps one of its names, so a sync of either keeps the move. \
        The library syncs both, the new one first, in case there is a disk that forgets both.
        """: [
            "no sync ./.trash/transaction after move ./Ab to ./.trash/transaction/Ab",
            "sync ./.trash/transaction, then move ./Ab to ./.trash/transaction/Ab",
            "no sync . after sync ./.trash/transaction",
            "no sync target after move source/Ab to target/Ab",
            "sync target, then move source/Ab to target/Ab",
            "no sync source after sync target",
            "no sync target/photos after move source/photos/* to target/photos/*",
            "sync target/photos, then move source/photos/* to target/photos/*",
            "no sync ./.staging/transaction after move ./photos/* to ./.staging/transaction/1",
            "sync ./.staging/transaction, then move ./photos/* to ./.staging/transaction/1",
            "no sync ./.staging/transaction after move ./photos/* to ./.staging/transaction/2",
            "sync ./.staging/transaction, then move ./photos/* to ./.staging/transaction/2",
        ],
        "A recovery finds what is on the disk, and has changed nothing in this folder itself.": [
            "no sync ./.staging/transaction",
            "no sync ./.staging/transaction after remove ./photos/*",
            "sync ./.staging/transaction, then remove ./photos/*",
            "no sync ./photos",
            "no sync ./photos after remove ./temporary",
            "sync ./photos, then remove ./temporary",
            "no sync target/photos after remove source/photos/*",
            "sync target/photos, then remove source/photos/*",
        ],
        """
        A journal that a recovery writes anew says what the old one does, which is on the disk; \
        only where a sync has failed, it may not be.
        """: [
            "no sync target after move target/temporary to target/journal",
            "sync target, then move target/temporary to target/journal",
        ],
        "Padding may be missing or torn; what is cut off with it holds no record.": [
            "no sync target/journal after truncate target/journal",
            "sync target/journal, then truncate target/journal",
            "write target/journal, then sync target/journal",
        ],
        "What is removed is empty or a temporary file, which means nothing where it stays.": [
            "remove source/.staging, then sync target",
            "remove source/.staging/transaction, then sync target",
            "remove source/temporary, then sync target",
            "remove target/.staging, then sync source",
            "remove target/.staging/transaction, then sync source",
        ],
        "The intents are on the disk, and say what is to be done whichever step was first.": [
            "move ./Cd to ./Cds, then sync ./.trash/transaction",
            "write source/journal, then sync target",
            "write target/journal, then sync source/photos",
        ],
        "Of a transfer that is complete, one intent that comes back changes nothing.": [
            "remove target/.staging/transaction/intent, then sync source",
            "acknowledge, then sync target",
        ],
        "A checkpoint counts when the index that it tells of has its name, which comes later.": [
            "write ./journal, then sync ./temporary",
            "write source/journal, then sync source/temporary",
        ],
        "The journal tells of what moves and of nothing that stays.": [
            "remove source/journal, then sync source"
        ],
        "The two files have nothing to do with each other.": [
            "sync ./.staging/transaction/1, then write ./.staging/transaction/2"
        ],
    ]
}
