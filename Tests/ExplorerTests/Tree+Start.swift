import StoreModel

extension Tree {
    /// Two projects, one of them with a part, and an archived project.
    static let start = Tree(
        projects: [
            Node(
                Box(id: 1, folderName: "Ab"),
                notes: [Note(id: 11, title: "a"), Note(id: 12, title: "b")], photos: ["p1", "p2"],
                parts: [
                    Node(
                        Box(id: 3, folderName: "Pa"), notes: [Note(id: 31, title: "c")],
                        photos: ["p3"])
                ]),
            Node(
                Box(id: 2, folderName: "Cd"), notes: [Note(id: 21, title: "d")], photos: ["p4"]),
        ],
        archive: [Node(Box(id: 4, folderName: "Ar"), photos: ["p5"])])
}
