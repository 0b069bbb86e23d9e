/// The mutants that break no promise, and why.
enum HarmlessMutants {
    static let all = Set(byReason.values.joined())

    private static let byReason: [String: [String]] = [
        """
        What is made is empty, and is not used before it has contents or another name.
        """: [
            "make ./temporary, then sync .",
            "make ./temporary, then sync ./photos",
            "make ./temporary, then sync ./.staging/transaction",
            "make ./.staging, then sync .",
            "make ./.staging/transaction, then sync .",
            "make ./.staging/transaction/1, then sync ./.staging",
            "make ./.staging/transaction/intent, then sync ./.staging",
            "make ./.staging/transaction/owner.new, then sync ./.staging",
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
        "The folder is synced again before anything relies on this sync.": [
            // The staging folder is made and synced next.
            "no sync . after make ./S5",
            "sync ., then make ./S5",
            // The transfer ends with a sync of the folder, before it is acknowledged.
            "no sync source after remove source/journal",
            "sync source, then remove source/journal",
        ],
        """
        What is moved between folders keeps one of its names, so a sync of either folder keeps it. \
        The library syncs both, the new folder first, in case a disk forgets both names.
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
        "The recovery read what is on the disk, and changed nothing in this folder.": [
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
        A journal that a recovery writes again has the records of the old one, which is on the \
        disk unless a sync failed.
        """: [
            "no sync target after move target/temporary to target/journal",
            "sync target, then move target/temporary to target/journal",
        ],
        "Padding can be missing or torn, and what is truncated with it holds no record.": [
            "no sync target/journal after truncate target/journal",
            "sync target/journal, then truncate target/journal",
            "write target/journal, then sync target/journal",
        ],
        "What is removed is empty or a temporary file, and is not used if it stays.": [
            "remove source/.staging, then sync target",
            "remove source/.staging/transaction, then sync target",
            "remove source/temporary, then sync target",
            "remove target/.staging, then sync source",
            "remove target/.staging/transaction, then sync source",
            "remove target/temporary, then sync target",
        ],
        "The intents are on the disk, and recovery completes both steps in any order.": [
            "move ./Cd to ./Cds, then sync ./.trash/transaction",
            "write source/journal, then sync target",
            "write target/journal, then sync source/photos",
        ],
        "One intent of a completed transfer that comes back changes nothing.": [
            "remove target/.staging/transaction/intent, then sync source",
            "acknowledge, then sync target",
        ],
        "The record of a checkpoint is not used before the new index has its name.": [
            "write ./journal, then sync ./temporary",
            "write source/journal, then sync source/temporary",
        ],
        "The journal has only changes of items that were transferred.": [
            "remove source/journal, then sync source"
        ],
        "The two files do not depend on each other.": [
            "sync ./.staging/transaction/1, then write ./.staging/transaction/2"
        ],
    ]
}
