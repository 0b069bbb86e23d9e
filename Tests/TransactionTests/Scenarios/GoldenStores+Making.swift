import DirectoryTestSupport
import Foundation
import StoreModel

@testable import Directory

extension GoldenStore {
    /// Makes the store, unless it exists.
    func make() throws {
        if FileManager.default.fileExists(atPath: url.path) { return }
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        var maker = Maker(url: url)
        switch self {
        case .small: try maker.notes { try Self.writeSmall($0) }
        case .journal: try maker.notes { try Self.writeLarge($0) }
        case .marked: try maker.notes(isJournaled: true) { try Self.writeChanges($0) }
        case .checkpointBegun: try maker.checkpoint(killedAt: "rename", suffix: "/notes.json")
        case .checkpointReplaced: try maker.checkpoint(killedAt: "remove", suffix: ".notes.journal")
        case .torn: try maker.torn()
        case .projects: try maker.projects { _ in }
        case .changeBegun:
            try maker.change(killedAt: "rename", suffix: "/projects.json")
        case .changeCommitted: try maker.change(killedAt: "remove", suffix: "/intent")
        case .swapBegun: try maker.swap(killedAt: "rename", suffix: "/projects.json")
        case .swapCommitted: try maker.swap(killedAt: "rename", suffix: "/Project_Apollo")
        case .replacementBegun: try maker.replacement(killedAt: "/projects.json")
        case .replacementCommitted: try maker.replacement(killedAt: "/Project_Gemini")
        case .successionCommitted: try maker.succession(killedAt: "/Project_Gemini")
        case .importBegun: try maker.photos(killedAt: "rename", suffix: "/photos.json")
        case .importCommitted: try maker.photos(killedAt: "remove", suffix: ".png")
        case .undoBegun: try maker.undo(killedAt: "rename", suffix: "/projects.json", after: 1)
        case .undoCommitted: try maker.undo(killedAt: "rename", suffix: "/Project_Gemini")
        case .bringBackBegun: try maker.bringBack(killedAt: "rename", suffix: "/projects.json")
        case .bringBackPlacing: try maker.bringBack(killedAt: "rename", suffix: "/Project_Gemini")
        case .bringBackCommitted: try maker.bringBack(killedAt: "remove", suffix: "/intent")
        case .treePrepared: try maker.tree(killedAt: "write", suffix: " prepared", after: 2)
        case .treeBegun: try maker.tree(killedAt: "write", suffix: " committed")
        case .treeCommitted: try maker.tree(killedAt: "write", suffix: " committed", after: 1)
        case .treeHalfCommitted: try maker.tree(killedAt: "write", suffix: " committed", after: 2)
        case .treeUnended: try maker.tree(killedAt: "write", suffix: " ended")
        case .treeEnded: try maker.tree(killedAt: "remove", suffix: "/intent")
        case .transferPrepared: try maker.transfer(killedAt: "write", suffix: " prepared", after: 1)
        case .transferAborting:
            try maker.transfer(
                killedAt: "write", suffix: " ended", after: 1, failingAt: " committed")
        case .transferBegun: try maker.transfer(killedAt: "write", suffix: " committed")
        case .transferCommitted:
            try maker.transfer(killedAt: "write", suffix: " committed", after: 1)
        case .folderTransferUndecided:
            try maker.folderTransfer(killedAt: "write", suffix: " committed")
        case .folderTransferBegun:
            try maker.folderTransfer(killedAt: "write", suffix: " committed", after: 1)
        case .folderTransferCommitted: try maker.folderTransfer(killedAt: "write", suffix: " ended")
        case .restoringMoving: try maker.restoring(killedAt: "rename", suffix: "/Project_Apollo")
        case .restoringUndecided: try maker.restoring(killedAt: "write", suffix: " committed")
        case .restoringBegun: try maker.restoring(killedAt: "write", suffix: " ended")
        case .exchangeMoving: try maker.exchange(killedAt: "rename", suffix: "/Project_Apollo")
        case .exchangeUndecided: try maker.exchange(killedAt: "write", suffix: " committed")
        case .exchangeBegun: try maker.exchange(killedAt: "write", suffix: " ended")
        case .removed: try maker.removed()
        }
        try maker.writeExpectation(to: expectation)
        try maker.removeMachine()
    }

    private static func writeSmall(_ notes: Directory<Note>) throws {
        try notes.append(contentsOf: [.eggs, .milk, .salt])
        try notes.append(
            Note(id: -4, title: "\"\\/\u{8}\u{C}\n\r\t\u{1}\u{7F}\u{2028} é e\u{301} ☕️ 𝄞"))
        try notes.move(fromOffsets: [0], toOffset: 2)
        try notes.update(Note(id: 2, title: ""))
    }

    private static func writeLarge(_ notes: Directory<Note>) throws {
        let title = String(repeating: "large ", count: 20)
        try notes.append(contentsOf: (100..<600).map { Note(id: $0, title: "\(title)\($0)") })
        try writeChanges(notes)
    }

    /// Makes commits of every kind.
    static func writeChanges(_ notes: Directory<Note>) throws {
        try notes.append(.eggs)
        try notes.insert(.milk, at: 0)
        try notes.append(contentsOf: [.salt, Note(id: 4, title: "☕️\n")])
        try notes.update(Note(id: 1, title: "Brown \"eggs\""))
        try notes.move(fromOffsets: [0, 1], toOffset: 3)
        try notes.remove(id: 3)
        try notes.write { draft in
            try draft.remove(id: 2)
            try draft.append(.salt)
            try draft.update(Note(id: 4, title: "Tea"))
        }
    }
}
