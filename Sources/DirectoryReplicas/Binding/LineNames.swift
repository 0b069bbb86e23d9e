import Directory
import Foundation
import JSONCodec

extension Binding {
    /// A line with another name for the folder or the file of the item: the stored property that has the old name gets
    /// the new one; nil if there is no such property.
    func renamed(
        _ line: IndexLine, of key: ItemKey, from old: String, to new: String,
        _ name: KeyPath<IndexLine, String?>
    ) -> IndexLine? {
        guard let members = try? JSONMembers.all(of: line.bytes) else { return nil }
        let candidates = members.indices.filter { JSONMembers.text(of: members[$0].value) == old }
        let usual = ["folderName", "fileName"]
        let order = candidates.sorted {
            usual.contains(members[$0].name) && !usual.contains(members[$1].name)
        }
        for index in order {
            let value = new.quotedAsJSON[...]
            let bytes = line.bytes.replacing(members[index].value, by: value)
            if let changed = decode(bytes, as: key), changed[keyPath: name] == new {
                return changed
            }
        }
        return nil
    }

    /// Throws unless the folder name of an item is its id, or a stored property.
    func checkThatNameCanChange(
        _ line: IndexLine, _ name: String, of key: ItemKey, _ url: URL
    ) throws {
        if name == key.text || name == key.id { return }
        guard renamed(line, of: key, from: name, to: "\(name) 2", \.folderName) == nil else {
            return
        }
        throw ReplicaError(
            .fixedFolderName, url,
            "the folder name “\(name)” of an item is neither its id nor a stored property, so it cannot be changed if an "
                + "item of another device has it too")
    }
}

extension ArraySlice<UInt8> {
    /// These bytes with `new` in the place of `part`, which is a slice of them.
    func replacing(_ part: ArraySlice<UInt8>, by new: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        (self[..<part.startIndex] + new + self[part.endIndex...])[...]
    }
}
