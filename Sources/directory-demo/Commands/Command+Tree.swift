extension Command {
    static let tree = Command(
        name: "tree", operands: "", summary: "Show the store's folders and files."
    ) { call in
        try call.store.printTree()
    }
}
