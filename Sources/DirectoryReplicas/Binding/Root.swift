import Directory
import FileSystem
import Foundation

/// The collection that is replicated, with those in its containers.
struct Root: Sendable {
    let collection: LineCollection
    let binding: Binding

    var url: URL { collection.url }
    private var reference: CollectionReference { .init(binding.kind, in: nil) }
}

/// The lines of the root that the base was made of.
struct RootLines: Sendable {
    let lines: CollectionLines
    /// The times of the assets folders when no file was missing in them.
    var assets: AssetsMark?
}

extension Root {
    func openFolder() throws -> Handle {
        guard let folder = try collection.openFolder(making: true) else {
            throw ReplicaError(.folderMissing, url, "the folder of the collection is missing")
        }
        return folder
    }

    /// Reads the collection, and compares it with the base; `earlier` are the lines that the base was made of.
    func look(since earlier: RootLines?, _ base: Base) throws -> (CollectionLook, RootLines) {
        let (look, lines, assets) = try binding.look(
            at: collection, reference, since: earlier?.lines, sinceAssets: earlier?.assets, base)
        return (look, RootLines(lines: lines, assets: look.withoutFile.isEmpty ? assets : nil))
    }

    /// Commits plans, and returns the lines of the root after that.
    func apply(_ writer: PlanWriter, _ stage: Stage?, to earlier: RootLines?) throws -> RootLines {
        try collection.write(importing: stage) { draft, assets in
            writer.begin(assets)
            // The lines that the base was made of need not be compared one by one.
            let isKnown =
                earlier.map {
                    $0.lines.count == draft.lines.count
                        && draft.lines.countOfSameAtStart(as: $0.lines) == $0.lines.count
                } ?? false
            try writer.apply(to: &draft, reference, binding, isKnown: isKnown)
            return RootLines(lines: draft.lines)
        }
    }
}
