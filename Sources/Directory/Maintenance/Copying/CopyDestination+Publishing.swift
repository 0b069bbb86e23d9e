import FileSystem

/// Publishing failed, and so did the roll-back, or it may not be durable: so nothing may be removed.
struct NotRolledBack: Error {
    let cause: any Error
}

extension CopyDestination {
    /// Renames the hidden folder to its final name; if that cannot be made durable, renames it back.
    func publish(_ hidden: FileName) throws {
        guard let earlier else {
            try fileSystem.rename(hidden, in: parent, to: name, in: parent, replacing: false)
            return try orRollBack {
                try fileSystem.sync(parent)
            } undo: {
                try fileSystem.rename(name, in: parent, to: hidden, in: parent, replacing: false)
            }
        }
        let isExchanged = try fileSystem.exchange(hidden, with: name, in: parent)
        let aside = try isExchanged ? hidden : freeName
        if !isExchanged { try takePlace(hidden, aside) }
        let locks = try orRollBack {
            let locks = try earlier.checkThatItIs(aside, in: parent)
            try fileSystem.sync(parent)
            return locks
        } undo: {
            if isExchanged {
                _ = try fileSystem.exchange(hidden, with: name, in: parent)
            } else {
                try fileSystem.rename(name, in: parent, to: hidden, in: parent, replacing: false)
                try fileSystem.rename(aside, in: parent, to: name, in: parent, replacing: false)
            }
        }
        withExtendedLifetime(locks) {
            // Best effort: the next copy into this folder removes a folder that keeps the hidden name.
            try? remove(earlier, aside, hidden)
        }
    }

    /// Moves the finished file out of the hidden folder; if that cannot be made durable, moves it back.
    func publishFile(from folder: Handle) throws {
        try fileSystem.rename(name, in: folder, to: name, in: parent, replacing: false)
        try orRollBack {
            try fileSystem.sync(parent)
        } undo: {
            try fileSystem.rename(name, in: parent, to: name, in: folder, replacing: false)
        }
    }

    /// Removes the earlier copy, which is called `aside`, after it got the hidden name.
    private func remove(_ earlier: EarlierCopy, _ aside: FileName, _ hidden: FileName) throws {
        if aside != hidden {
            try fileSystem.rename(aside, in: parent, to: hidden, in: parent, replacing: false)
            try fileSystem.sync(parent)
        }
        // Without a manifest, its remains after a crash do not count as a whole copy.
        try earlier.removeManifest()
        try fileSystem.removeTree(hidden, in: parent)
    }

    /// Calls `body`; if that fails, calls `undo` and makes it durable.
    private func orRollBack<Result>(
        _ body: () throws -> Result, undo: () throws -> Void
    ) throws -> Result {
        do { return try body() } catch let cause {
            do {
                try undo()
                try fileSystem.sync(parent)
            } catch {
                throw NotRolledBack(cause: cause)
            }
            throw cause
        }
    }

    /// Renames the earlier copy to `aside`, and the hidden folder to the name of the copy.
    private func takePlace(_ hidden: FileName, _ aside: FileName) throws {
        try fileSystem.rename(name, in: parent, to: aside, in: parent, replacing: false)
        do {
            try fileSystem.rename(hidden, in: parent, to: name, in: parent, replacing: false)
        } catch {
            try? fileSystem.rename(aside, in: parent, to: name, in: parent, replacing: false)
            throw error
        }
    }
}

extension CopyDestination {
    /// Removes the hidden folders of processes that have died.
    func removeLeftovers() throws {
        for name in try fileSystem.list(parent) where Self.isHidden(name) {
            guard try fileSystem.status(of: name, in: parent)?.kind == .folder,
                let folder = try fileSystem.openFolderIfPresent(name, in: parent),
                try fileSystem.tryLock(folder)
            else { continue }
            try withExtendedLifetime(folder) { try discard(name) }
        }
    }

    /// Removes the folder `hidden`; a whole copy that was changed since it was made gets a visible name instead.
    func discard(_ hidden: FileName) throws {
        guard let folder = try fileSystem.openFolderIfPresent(hidden, in: parent) else { return }
        if let copy = try EarlierCopy(leftIn: folder, at: url, on: fileSystem) {
            guard (try? copy.check()) != nil else {
                try fileSystem.rename(
                    hidden, in: parent, to: freeName, in: parent, replacing: false)
                return try fileSystem.sync(parent)
            }
            try copy.removeManifest()
        }
        try fileSystem.removeTree(hidden, in: parent)
    }

    /// A visible name for an earlier copy.
    private var freeName: FileName {
        get throws {
            var number = 1
            while true {
                let addition = " (earlier copy\(number == 1 ? "" : " \(number)"))"
                // The addition may make the name too long.
                let free =
                    FileName("\(name)\(addition)") ?? FileName("Backup\(addition)") ?? name
                if try fileSystem.status(of: free, in: parent) == nil { return free }
                number += 1
            }
        }
    }
}
