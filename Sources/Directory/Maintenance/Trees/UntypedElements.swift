import JSONCodec

/// The properties of the elements of an index that can be read without the type of its items.
struct UntypedElements {
    /// The elements that have the id of an earlier element, and, if some elements are objects, all that are none.
    private(set) var damaged: [DamagedLine] = []
    /// Whether each element is an object.
    private(set) var areObjects = true
    /// Whether an element has a member `fileName`, as items that own files usually do.
    private(set) var ownFiles = false
    /// The names that folders of items have: the texts of the members `folderName` and `id`.
    private(set) var folderNames: Set<String> = []

    init() {}

    /// Reads the elements on `lines`; each line should be JSON.
    init(_ lines: [ArraySlice<UInt8>]) {
        let members: Set<String> = ["id", "folderName", "fileName"]
        let elements = lines.map { line in
            // A line of a journal may not be JSON.
            (line: line, members: (try? JSONMembers.values(of: members, in: line)) ?? nil)
        }
        let haveObjects = elements.contains { $0.members != nil }
        var ids: Set<[UInt8]> = []
        for (line, members) in elements {
            guard let members else {
                areObjects = false
                // If no element is an object, the type may encode its items as strings or arrays.
                if haveObjects { addDamaged(line, "it is not a JSON object") }
                continue
            }
            ownFiles = ownFiles || members["fileName"]?.text != nil
            if let name = members["folderName"]?.text { folderNames.insert(name) }
            guard let id = members["id"] else { continue }
            let text = id.text ?? String(decoding: id.json, as: UTF8.self)
            folderNames.insert(text)
            if !ids.insert(id.json).inserted {
                addDamaged(line, "an earlier item has the id \(text)", isDuplicate: true)
            }
        }
    }

    private mutating func addDamaged(
        _ line: ArraySlice<UInt8>, _ reason: String, isDuplicate: Bool = false
    ) {
        damaged.append(
            DamagedLine(
                line: line, reason: reason,
                duplicated: isDuplicate ? LineElement(line).id : nil))
    }
}
