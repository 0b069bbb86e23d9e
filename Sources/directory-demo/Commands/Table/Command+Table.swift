// The table of the commands: usage, help and completions are made from it.
extension Command {
    static let all = sections.flatMap(\.commands)

    /// The commands, as help shows them.
    static let sections: [(title: String, commands: [Command])] = [
        ("Projects", [new, list, rename, remove]),
        ("Photos and notes", [importFiles, photos, move, note, notes, removeNote, export]),
        ("Look", [show, gallery, stats, tree, watch]),
        ("Keep", [undo, backup, archive, restore, merge, deleted, bringBack, verify]),
        ("Share", [sync, devices, conflicts]),
        ("Tool", [config, completions, help]),
    ]
}
