// The table of the commands: usage, help and completions are made from it.
extension Command {
    /// Commands that belong together, as help shows them.
    struct Section: Sendable {
        let title: String
        let commands: [Command]
    }

    static let all = sections.flatMap(\.commands)

    static let sections = [
        Section(title: "Projects", commands: projects),
        Section(title: "Photos and notes", commands: contents),
        Section(title: "Look", commands: views),
        Section(title: "Keep", commands: safety),
        Section(title: "Share", commands: sharing),
        Section(title: "Tool", commands: tool),
    ]

    private static let projects = [
        Command(
            "new", "NAME", needs: .anyStore, "Make a project and its folder.",
            "The first project makes the store as well.", run: new),
        Command(
            "list", "", options: [.json, .names], "Show the projects.",
            "\"config sort\" sets their order.", run: list),
        Command(
            "rename", "OLD NEW", "Rename a project and its folder.",
            "Its photos and notes move with the folder, in one step.", run: rename),
        Command(
            "remove", "NAME [PHOTO]", options: [.force, .dryRun],
            "Remove a photo or a whole project.",
            """
            PHOTO is an id, or the name that the file had. Before a whole project is
            removed, the demo asks on a terminal, and needs --force elsewhere. "undo"
            and "bring-back" bring back what was removed.
            """, run: remove),
    ]

    private static let contents = [
        Command(
            "import", "NAME PATH...", options: [.skipUnsupported], "Import pictures, all or none.",
            """
            PATH is a file, or a folder whose pictures are imported, by name, without
            hidden files. Everything is checked before the first file is copied. A link,
            or a file that is no picture, is an error unless it is left out with
            --skip-unsupported; in folders, files that are no pictures are left out. In
            a folder, a file name that is not valid UTF-8 is an error as well, but the
            other files are imported.
            """, run: importFiles),
        Command(
            "photos", "[NAME]", options: [.json, .absolute], "Show the photos of a project.",
            """
            Without NAME, of the project that was used last in the default store. Paths
            are relative to the store, unless they are absolute.
            """, run: photos),
        Command(
            "move", "NAME PHOTO OTHER", "Move a photo to another project.",
            "PHOTO is an id, or the name that the file had.", run: move),
        Command(
            "note", "NAME TEXT", "Add a note to a project.", "", run: note),
        Command(
            "notes", "NAME", options: [.json], "Show the notes of a project.",
            "Each has the number that \"remove-note\" needs.", run: notes),
        Command(
            "remove-note", "NAME NUMBER", "Remove a note from a project.",
            "NUMBER is what \"notes\" shows, or the id of a note.", run: removeNote),
        Command(
            "export", "NAME DIR", "Copy photos and notes to DIR.",
            "All files are copied or none; nothing is overwritten.", run: export),
    ]

    private static let views = [
        Command(
            "show", "NAME [PHOTO]", "Draw the photos in the terminal.",
            """
            The terminal must know the graphics protocol of kitty, or the inline images of
            iTerm2; the demo asks it. The protocol of kitty takes only PNG files. Elsewhere,
            and in kitty for any other format, each photo is a line of text.
            """, run: show),
        Command(
            "gallery", "", options: [.output, .force], "Make a page with all photos and notes.",
            """
            It is one file of HTML, by default gallery.html in the current folder, which
            needs no network. A file that is no gallery is replaced with --force only.
            """, run: gallery),
        Command(
            "stats", "", options: [.json], "Compare the sizes of the projects.", "", run: stats),
        Command("tree", "", "Show the store's folders and files.", "", run: tree),
        Command(
            "watch", "", "Follow the projects until Ctrl-C.",
            "On a terminal the list is drawn again; elsewhere each change is a line.", run: watch),
    ]

    private static let safety = [
        Command(
            "undo", "", options: [.dryRun, .skip], "Undo the newest change.",
            """
            Undoes the changes of new, rename, remove, import, move, note and remove-note, the
            newest first, up to \(History.limit) changes. If others have changed the same items since,
            nothing is done; --skip then goes on to the change before it.
            """, run: undo),
        Command(
            "backup", "DIR", "Copy the store to DIR, or update the backup there.",
            "A folder with anything else in it, or a backup that was changed, stays as it is.",
            run: backup),
        Command(
            "archive", "FILE", "Write the store into FILE, a zip archive.",
            "Every system can unpack it. Nothing is replaced.", run: archive),
        Command(
            "restore", "BACKUP", options: [.force], needs: .unreadStore,
            "Make the store from a backup or an archive.",
            """
            The backup is checked first. With --force, a store that is there becomes what
            the backup is, in one step; "deleted" shows what it had besides.
            """, run: restore),
        Command(
            "merge", "BACKUP", options: [.theirs], needs: .anyStore,
            "Add the projects of a backup, an archive or a store.",
            """
            In one step: projects that are not here are added. Of those that are here and
            differ, yours stay, or with --theirs are replaced; "deleted" shows them then.
            """, run: merge),
        Command(
            "deleted", "", options: [.json], "Show what was removed in the last month.",
            "The newest comes first. Each has the number that \"bring-back\" needs.",
            run: deleted),
        Command(
            "bring-back", "NUMBER", "Bring back what was removed.",
            "NUMBER is what \"deleted\" shows, or an id that it shows as JSON.", run: bringBack),
        Command(
            "verify", "[DIR]", options: [.repair, .json], needs: .unreadStore,
            "Compare indexes with files, and repair them.",
            """
            A repair deletes no bytes: what belongs nowhere is set aside. With DIR, the
            collections of any app in DIR and in the folders below it are looked at, and
            nothing is changed. Nobody knows the types of their items then, so who owns
            which file is not compared. Hidden folders are left out.
            """, run: verify),
    ]

    private static let sharing = [
        Command(
            "sync", "DIR", options: [.watch, .force], needs: .anyStore,
            "Keep the store the same on several devices.",
            """
            DIR is a folder beside the store that Syncthing, rclone, git or a USB stick
            carries to the other devices, which sync with theirs. What was changed here is
            written there, and what others wrote is taken in. If very much was removed here
            at once, the others are told with --force only.
            """, run: sync),
        Command(
            "devices", "DIR", options: [.json], needs: .anyStore,
            "Sync, and show the devices with the store.", "", run: devices),
        Command(
            "conflicts", "DIR [NUMBER [VALUE]]", options: [.json], needs: .anyStore,
            "Sync, and show what was changed apart.",
            """
            Each conflict has a number, and so has each of its values. With VALUE, all
            devices get that one.
            """, run: conflicts),
    ]

    private static let tool = [
        Command(
            "config", "[KEY [VALUE]]", needs: .nothing, "Show or set preferences.",
            "They are sort, colour and project; without VALUE they are shown.", run: config),
        Command(
            "completions", "SHELL [WORD...]", needs: .nothing, "Print completions for a shell.",
            """
            With WORDs, the script asks what can complete the last one. SHELL is bash, zsh or
            fish:

              bash  source <(directory-demo completions bash)
              zsh   source <(directory-demo completions zsh)
              fish  directory-demo completions fish | source
            """, run: completions),
        Command(
            "help", "[COMMAND]", needs: .nothing, "Say what a command does.", "", run: help),
    ]
}
