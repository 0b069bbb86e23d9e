import Directory
import FileSystem

/// The names, folded, that no other container of a collection can get.
struct TakenFolderNames {
    /// Those of containers.
    var owners: [String: ItemReference] = [:]
    /// Those of files and folders that no container owns, if an import may have given another name.
    var byOthers: Set<String> = []
}

/// An import gives a folder or a file another name if something else has the name that other devices know.
///
/// The base has both names if the import was recorded. The process may have died before that. Then the name here is told
/// to nobody, although the line differs from the base.
extension Difference {
    /// The names of folders in a collection; `takenNames` returns those that no container owns, beside names that
    /// containers have.
    func takenFolderNames(
        in look: CollectionLook, _ order: [ItemKey], of takenNames: ([String]) throws -> Set<String>
    ) throws -> TakenFolderNames {
        let kind = look.collection.kind
        var taken = TakenFolderNames()
        guard kinds[kind]?.ownsFolders == true else { return taken }
        var hasOtherNames = false
        for item in look.whole(of: order).items {
            let container = ItemReference(kind, item.key)
            let old = base[container]?.folderName
            let name = item.changed?.folderName ?? old
            if let folded = name.flatMap(FileName.init)?.folded { taken.owners[folded] = container }
            if name != old, let wanted = lineInState(of: container)?.folderName, wanted != name {
                hasOtherNames = true
            }
        }
        if hasOtherNames { taken.byOthers = try takenNames(Array(taken.owners.keys)) }
        return taken
    }

    /// A changed line and the file of the item, with the names that other devices know; nil if an import did not give
    /// them other ones.
    ///
    /// `file` is the file that the item has here.
    func partsWithNamesOfOthers(
        _ line: IndexLine, of item: ItemReference, in container: ItemKey?, _ file: FileValue?,
        _ taken: TakenFolderNames
    ) -> (line: IndexLine, file: FileValue?)? {
        guard let binding = kinds[item.kind] else { return nil }
        let old = base[item]
        if let name = line.folderName, name != old?.folderName {
            guard let wanted = lineInState(of: item)?.folderName,
                isNumbered(name, insteadOf: wanted, item, taken)
            else { return nil }
            return binding.renamed(line, of: item.key, from: name, to: wanted, \.folderName)
                .map { ($0, file) }
        }
        if let name = line.fileName, name != old?.fileName, let file,
            let known = fileOfOthers(file, of: item, in: container),
            name.isNumbered(insteadOf: known.name)
        {
            return binding.renamed(line, of: item.key, from: name, to: known.name, \.fileName)
                .map { ($0, known.file) }
        }
        return nil
    }

    /// The file of an item that an import can have brought to a collection as `file`, and the name that the line of the
    /// item gave to it.
    private func fileOfOthers(
        _ file: FileValue, of item: ItemReference, in container: ItemKey?
    ) -> (file: FileValue, name: String)? {
        guard let known = state[item] else { return nil }
        if let newest = known.file(state.rules), newest.hash == file.hash {
            return lineInState(of: item)?.fileName.map { (newest, $0) }
        }
        // An import moves an item also if the file of its newest version is not here.
        guard let old = base[item], let older = old.file, older.hash == file.hash,
            old.container != container, known.container(state.rules)?.value == container
        else { return nil }
        return old.fileName.map { (older, $0) }
    }

    private func lineInState(of item: ItemReference) -> IndexLine? {
        guard state.isAlive(item), let known = state[item] else { return nil }
        return kinds[item.kind]?.decode(
            LineComposer(known, state.rules, base[item]).line, as: item.key)
    }

    /// Whether an import gives a container `name`, because something else has the name `wanted`.
    private func isNumbered(
        _ name: String, insteadOf wanted: String, _ item: ItemReference, _ taken: TakenFolderNames
    ) -> Bool {
        guard let folded = FileName(wanted)?.folded else { return false }
        let others = taken.owners.filter { $0.value != item }
        if let owner = others[folded] {
            if isNamed(owner, folded) {
                guard state.birth(of: owner) < state.birth(of: item) else { return false }
            } else {
                // A later commit of the import takes the name from it.
                guard base[owner]?.folderName.flatMap(FileName.init)?.folded == folded else {
                    return false
                }
            }
            if name == wanted.safeFolderName(beside: others.keys) { return true }
        }
        // An import that has failed looks for names that no container has.
        let names = taken.byOthers.union(others.keys)
        return names.contains(folded) && name == wanted.safeFolderName(beside: names)
    }

    /// Whether a container has this name, folded, in the state, and is in the same collection as here.
    private func isNamed(_ container: ItemReference, _ folded: String) -> Bool {
        let name = lineInState(of: container)?.folderName
        return name.flatMap(FileName.init)?.folded == folded
            && state[container]?.container(state.rules)?.value == base[container]?.container
    }
}
