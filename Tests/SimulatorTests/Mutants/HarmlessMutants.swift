/// The mutants that break no promise, and why.
enum HarmlessMutants {
    static let all = Set(byReason.values.joined())

    /// Those that break a promise in few states only, so that some runs catch them and some do not.
    ///
    /// An intent must come back that renames a folder whose item has got its old name again.
    static let rare: Set<String> = [
        "no sync . after move ./Cds to ./Cd",
        "sync ., then move ./Cds to ./Cd",
        "sync ./.staging/transaction, then remove ./.staging/transaction/intent",
        "remove ./.staging/transaction/owner, then sync ./.staging/transaction",
        // A process must have died between the rename of a journal and the sync of its folder.
        "no sync target after sync target/journal",
        // The decision must be on the disk, and not that the item has left the other folder.
        "write source/journal, then sync source",
        // A journal must be durable, and not the index that it belongs to.
        "sync target, then move target/temporary to target/index",
        // A folder must be in neither of the two folders between which it moves.
        "no sync . after sync ./.staging/transaction",
        "sync ., then remove ./.staging",
    ]

    private static let byReason: [String: [String]] = [
        """
        What is made is empty, and is not used before it has contents or another name.
        """: [
            "make target/photos, then sync source",
            "make ./.trash/transaction/.*, then sync .",
            "make ./.trash/transaction/.*, then sync ./journal",
            "make ./temporary, then sync .",
            "make ./temporary, then sync ./photos",
            "make ./.staging, then sync .",
            "make ./.staging/transaction/intent, then sync ./.staging/transaction/2",
            "make source/temporary, then sync source",
            "make source/temporary, then sync target",
            "make target/photos, then sync source/journal",
            "make target/temporary, then sync source",
            "make target/temporary, then sync target",
        ],
        "The folder is synced again before anything relies on this sync.": [
            "no sync /store after make target",
            "sync /store, then make target",
            // The staging folder is made and synced next.
            "no sync . after make ./S5",
            "sync ., then make ./S5",
        ],
        """
        What is moved between folders keeps one of its names, so a sync of either folder keeps it. \
        The library syncs both, the new folder first, in case a disk forgets both names.
        """: [
            "no sync source after move target/Ab to source/Ab",
            "sync source, then move target/Ab to source/Ab",
            "no sync target after sync source",
            "no sync source/photos after move target/photos/* to source/photos/*",
            "sync source/photos, then move target/photos/* to source/photos/*",
            "no sync target/photos after sync source/photos",
            "no sync ./.staging/transaction after move ./Cd to ./.staging/transaction/folder-2",
            "sync ./.staging/transaction, then move ./Cd to ./.staging/transaction/folder-2",
            "no sync ./.staging/transaction after move ./Ab to ./.staging/transaction/folder-1",
            "sync ./.staging/transaction, then move ./Ab to ./.staging/transaction/folder-1",
            "no sync ./.staging/transaction after move ./Cd to ./Cds",
            "sync ./.staging/transaction, then move ./Cd to ./Cds",
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
            "no sync . after remove ./temporary",
            "sync ., then remove ./temporary",
            "no sync source after remove source/temporary",
            "sync source, then remove source/temporary",
            "no sync . after sync ./index",
            "no sync . after sync ./journal",
            "no sync source after sync source/journal",
            "no sync ./.staging/transaction after remove ./photos/*",
            "sync ./.staging/transaction, then remove ./photos/*",
        ],
        """
        If the intent comes back, nothing is where it says any more: parked folders are in their places, and what was \
        removed has another name.
        """: [
            "acknowledge, then sync ./.staging/transaction",
            "remove ./.staging/transaction/removed-1/journal, then sync ./.staging/transaction",
            "remove ./.staging/transaction/removed-1/photos/*, then sync ./.staging/transaction",
        ],
        "What is removed is empty or a temporary file, and is not used if it stays.": [
            "remove source/temporary, then sync target/journal",
            "no sync target after remove target/photos",
            "sync target, then remove target/photos",
            "remove target/photos, then sync target/photos",
            "no sync . after remove ./photos",
            "sync ., then remove ./photos",
            "remove ./photos, then sync ./photos",
            "no sync . after remove ./.staging",
            "remove ./.trash, then sync ./.staging/transaction",
            "sync ./photos, then remove ./.trash",
        ],
        """
        What an undo was to bring back waits in the trash of a process that has died: recovery moves it to the folder of \
        the transaction only to delete it there.
        """: [
            "no sync ./.staging/transaction after move ./photos/* to ./.staging/transaction/.*",
            "sync ./.staging/transaction, then move ./photos/* to ./.staging/transaction/.*",
        ],
        "The folder of the transaction, into which it moves, is synced next, and a folder has one name only.":
            [
                "move ./.trash/transaction/.*/.* to ./.staging/transaction/folder-1, then sync ."
            ],
        "The record of a checkpoint is not used before the new index has its name.": [
            "write ./journal, then sync ./temporary"
        ],
        "The two files do not depend on each other.": [
            "write target/journal, then sync source",
            "write target/journal, then sync target",
            "write source/journal, then sync target",
            "move ./.staging/transaction/folder-2 to ./.staging/transaction/removed-2, then sync .",
            "move ./.staging/transaction/folder-3 to ./.staging/transaction/removed-3, then sync .",
            "sync ./.staging/transaction/1, then write ./.staging/transaction/2",
        ],
    ]
}
