extension HarmlessMutants {
    /// Those of writes to several collections that break no promise, and why.
    static let ofTreeWrites = Set(byReasonOfTreeWrites.values.joined())

    private static let byReasonOfTreeWrites: [String: [String]] = [
        "What is made is empty, and is not used before it has contents or another name.": [
            "make child/.staging, then sync home",
            "make child/.staging, then sync other",
            "make child/.staging/transaction/intent, then sync child/.staging/transaction/1",
            "make child/temporary, then sync home",
            "make child/temporary, then sync home/.staging/transaction",
            "make child/temporary, then sync other",
            "make home/.staging, then sync child",
            "make home/.staging, then sync other",
            "make home/.staging/transaction/folder-1/photos, then sync home/.staging/transaction/folder-1/.staging/transaction/2",
            "make home/.staging/transaction/folder-1/temporary, then sync home/.staging/transaction",
            "make home/.staging/transaction/folder-1/temporary, then sync home/.staging/transaction/folder-1/photos",
            "make home/.staging/transaction/intent, then sync home/.staging/transaction/folder-1",
            "make home/.staging/transaction/tree, then sync child",
            "make home/temporary, then sync child",
            "make home/temporary, then sync child/photos",
            "make home/temporary, then sync home",
            "make other/.staging, then sync child",
            "make other/temporary, then sync home/.staging/transaction",
        ],
        """
        Nobody sees the folder of a new container before all of it is synced; what is in it is synced more \
        than once.
        """: [
            "move home/.staging/transaction/folder-1/.staging/transaction/1 to home/.staging/transaction/folder-1/photos/*, then sync home/.staging/transaction/folder-1",
            "move home/.staging/transaction/folder-1/temporary to home/.staging/transaction/folder-1/index, then sync home/.staging/transaction/folder-1/temporary",
            "no sync home/.staging/transaction after make home/.staging/transaction/folder-1",
            "no sync home/.staging/transaction/folder-1 after make home/.staging/transaction/folder-1/photos",
            "no sync home/.staging/transaction/folder-1 after move home/.staging/transaction/folder-1/temporary to home/.staging/transaction/folder-1/index",
            "no sync home/.staging/transaction/folder-1 after remove home/.staging/transaction/folder-1/.staging",
            "remove home/.staging/transaction/folder-1/.staging/transaction/owner, then sync home/.staging/transaction/folder-1",
            "sync home/.staging/transaction, then make home/.staging/transaction/folder-1",
            "sync home/.staging/transaction/folder-1, then make home/.staging/transaction/folder-1/photos",
            "sync home/.staging/transaction/folder-1, then move home/.staging/transaction/folder-1/temporary to home/.staging/transaction/folder-1/index",
            "sync home/.staging/transaction/folder-1, then remove home/.staging/transaction/folder-1/.staging",
            "sync home/.staging/transaction/folder-1/.staging/transaction/1, then move home/.staging/transaction/2 to home/.staging/transaction/folder-1/.staging/transaction/2",
        ],
        """
        What is moved between folders keeps one of its names, so a sync of either folder keeps it.
        """: [
            "move home/.trash/transaction/.*/.* to home/.staging/transaction/folder-1, then sync home",
            "no sync child/.staging/transaction after move child/photos/* to child/.staging/transaction/1",
            "no sync home after sync home/.staging/transaction",
            "no sync home/.staging/transaction after move other to home/.staging/transaction/folder-1",
            "sync child/.staging/transaction, then move child/photos/* to child/.staging/transaction/.*",
            "sync child/.staging/transaction, then move child/photos/* to child/.staging/transaction/1",
            "sync home/.staging/transaction, then move other to home/.staging/transaction/folder-1",
        ],
        """
        The list of the write is on the disk, and says what lines and files each index gets: recovery \
        completes all of it in any order.
        """: [
            "move child to child, then sync child",
            "move home/.staging/transaction/folder-1 to other, then sync home",
            "move home/.staging/transaction/folder-1 to other, then sync home/journal",
            "move home/.staging/transaction/tree to home/.staging/transaction/committed, then sync home",
            "write home/journal, then sync child",
            "write home/journal, then sync child/journal",
        ],
        """
        The first index with its new lines decides as well as the name of the list, which says more only if somebody \
        edits these lines before the recovery.
        """: [
            "no sync home/.staging/transaction after move home/.staging/transaction/tree to home/.staging/transaction/committed",
            "sync home/.staging/transaction, then move home/.staging/transaction/tree to home/.staging/transaction/committed",
            "write child/journal, then sync home/.staging/transaction",
        ],
        "The folder of the list is synced again before anything leaves it, and when the list gets its other name.":
            [
                "no sync home/.staging/transaction after sync home/.staging/transaction/tree"
            ],
        """
        The intent and the staged files matter only once the list is on the disk, which is written next.
        """: [
            "sync child/.staging/transaction/1, then write home/.staging/transaction/intent"
        ],
        "Recovery writes a new index next, which the record after what is cut off belongs to.": [
            "no sync child/journal after truncate child/journal",
            "sync child/journal, then truncate child/journal",
            "truncate child/journal, then sync child/temporary",
            "write child/journal, then sync child/journal",
            "write child/journal, then sync child/temporary",
        ],
        "The record of a checkpoint is not used before the new index has its name.": [
            "write home/journal, then sync home/temporary"
        ],
        """
        The new index has all that is in the journal, so the journal counts for nothing if it comes back.
        """: [
            "no sync child after remove child/journal",
            "no sync home after remove home/journal",
            "sync child, then remove child/journal",
            "sync home, then remove home/journal",
        ],
        "The folder is synced again before anything relies on this sync.": [
            "no sync child after sync child/index",
            "no sync child after sync child/journal",
            "no sync child after sync home",
            "no sync home after acknowledge",
            "no sync home after make home/T5",
            "no sync home after move home/temporary to home/journal",
            "no sync home after sync home/index",
            "no sync home after sync home/journal",
            "no sync other after sync other/index",
            "sync home, then make home/T5",
            "sync home, then move home/temporary to home/journal",
        ],
        "The recovery read what is on the disk, and changed nothing in this folder.": [
            "no sync home/.staging/transaction after sync child"
        ],
        """
        If the intent comes back, nothing is where it says any more, and without its list a pointer means \
        nothing.
        """: [
            "acknowledge, then sync home/.staging/transaction",
            "remove child/.staging/transaction, then sync home",
            "remove child/.staging/transaction/1, then sync home",
            "remove child/.staging/transaction/intent, then sync home",
            "remove child/.staging/transaction/tree, then sync home",
            "remove home/.staging/transaction, then sync home/.staging/transaction",
            "remove home/.staging/transaction/1, then sync home/.staging/transaction",
            "remove home/.staging/transaction/2, then sync home/.staging/transaction",
            "remove home/.staging/transaction/removed-1, then sync home/.staging/transaction",
            "remove home/.staging/transaction/removed-1/index, then sync home/.staging/transaction",
            "remove home/.staging/transaction/tree, then sync home/.staging/transaction",
            "sync home/.staging/transaction, then remove home/.staging/transaction/intent",
        ],
        """
        What is removed is empty, a temporary file, or what was removed for good, and is not used if it \
        stays.
        """: [
            "no sync child/.staging after remove child/.staging",
            "no sync home after remove home/.staging",
            "remove child/temporary, then sync home",
            "remove child/temporary, then sync other",
            "remove home/temporary, then sync child",
            "sync child/.staging, then remove child/.staging",
            "sync home, then remove home/.staging",
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
