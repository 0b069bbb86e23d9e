extension HarmlessMutants {
    /// Those of writes to several collections that break no promise, and why.
    static let ofTreeWrites = Set(byReasonOfTreeWrites.values.joined())

    private static let byReasonOfTreeWrites: [String: [String]] = [
        "What is made is empty, and is not used before it has contents or another name.": [
            "make child/.staging, then sync home",
            "make child/.staging/transaction/intent, then sync child/.staging/transaction/1",
            "make child/temporary, then sync child",
            "make child/temporary, then sync home",
            "make child/temporary, then sync other",
            "make home/.staging, then sync child",
            "make home/.staging/transaction/folder-1/photos, then sync home/.staging/transaction/folder-1/.staging/transaction/2",
            "make home/T5, then sync child",
            "make home/temporary, then sync child",
            "make home/temporary, then sync home",
            "make other/temporary, then sync child",
            "make other/temporary, then sync other",
        ],
        "Nobody sees the folder of a new container before all of it is synced with the intent, in any order.":
            [
                "sync home/.staging/transaction/folder-1/.staging/transaction/1, then move home/.staging/transaction/2 to home/.staging/transaction/folder-1/.staging/transaction/2",
                "sync home/.staging/transaction/folder-1/index, then write home/.staging/transaction/intent",
            ],
        "What is moved between folders keeps one of its names, so a sync of either folder keeps it.":
            [
                "no sync child/.staging/transaction after move child/photos/* to child/.staging/transaction/1",
                "no sync home after sync home/.staging/transaction",
                "no sync home/.staging/transaction after move other to home/.staging/transaction/folder-1",
                "sync child/.staging/transaction, then move child/photos/* to child/.staging/transaction/.*",
                "sync child/.staging/transaction, then move child/photos/* to child/.staging/transaction/1",
                "sync home/.staging/transaction, then move other to home/.staging/transaction/folder-1",
            ],
        "The intent is on the disk, and says where the folder was.": [
            "move child to child, then sync home",
            "move other to home/.staging/transaction/folder-1, then sync home",
        ],
        "The home has decided, so recovery does the rest in any order.": [
            "move home/.staging/transaction/folder-1 to other, then sync child/journal",
            "write home/journal, then sync child",
        ],
        """
        A record that is written earlier is still synced after the name of its journal, and after what \
        it builds on.
        """: [
            "write child/journal, then sync child",
            "write child/journal, then sync home",
            "write other/journal, then sync child",
            "write other/journal, then sync other",
        ],
        "The record of a checkpoint is not used before the new index has its name.": [
            "write child/journal, then sync child/temporary",
            "write other/journal, then sync other/temporary",
        ],
        "The new index has all that is in the journal, so the journal counts for nothing if it comes back.":
            [
                "acknowledge, then sync child",
                "no sync child after remove child/journal",
                "no sync other after remove other/journal",
                "sync child, then remove child/journal",
                "sync other, then remove other/journal",
            ],
        "The same file or folder is synced again before anything relies on this sync.": [
            "no sync child after sync child/index",
            "no sync child/journal after sync child/index",
            "no sync home after sync home/index",
            "no sync home after sync home/journal",
            "no sync home/journal after sync home/index",
        ],
        "If the intent comes back, nothing is where it says any more.": [
            "acknowledge, then sync home/.staging/transaction",
            "no sync home/.staging/transaction after remove home/.staging/transaction/intent",
            "remove child/.staging/transaction, then sync home",
            "remove child/.staging/transaction/intent, then sync home",
            "remove home/.staging/transaction/1, then sync home/.staging/transaction",
            "remove home/.staging/transaction/2, then sync home/.staging/transaction",
            "remove home/.staging/transaction/removed-1, then sync home/.staging/transaction",
            "remove home/.staging/transaction/removed-1/.staging, then sync home/.staging/transaction",
            "remove home/.staging/transaction/removed-1/index, then sync home/.staging/transaction",
            "remove home/.staging/transaction/removed-1/temporary, then sync home/.staging/transaction",
            "sync home/.staging/transaction, then remove home/.staging/transaction/intent",
        ],
        """
        Recovery has synced what it moved before it records that the write is ended, so what it \
        removes then has nothing more to say.
        """: [
            "remove home/.staging, then sync home/journal",
            "remove home/.staging/transaction, then sync home/journal",
            "remove home/.staging/transaction/intent, then sync home/journal",
            "remove home/.trash, then sync home/journal",
        ],
        """
        What is removed is empty, a temporary file, or what was removed for good, and is not used if \
        it stays.
        """: [
            "no sync home after remove home/.staging",
            "no sync home after remove home/temporary",
            "remove child/temporary, then sync home",
            "remove home/temporary, then sync child/journal",
            "sync home, then remove home/temporary",
        ],
    ]

    /// Those of the deletions in the background of two collections, which no order binds, so that each run has only
    /// some of them: what was removed for good is not used if it stays.
    static let rareOfTreeWrites: Set<String> = {
        let removed = [
            "home/.staging", "home/.staging/transaction", "home/.staging/transaction/owner",
            "home/.staging/transaction/removed-1", "home/.trash", "home/.trash/transaction",
            "home/.trash/transaction/.*", "child/.trash", "child/.trash/transaction",
        ]
        let mutants = removed.flatMap { path in
            [
                "no sync child/photos after remove \(path)",
                "remove \(path), then sync child/photos",
                "sync child/photos, then remove \(path)",
            ]
        }
        return Set(mutants + ["no sync child/photos after sync child/.staging/transaction"])
    }()
}
