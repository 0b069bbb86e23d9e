package import FileSystem

extension ProcessFileSystem {
    /// Creates a process that may read, but change nothing below `path`: each such call fails with `code`.
    package convenience init(
        _ base: any FileSystem, readOnlyBelow path: String, failingWith code: Errno = .readOnly
    ) {
        let changes = [
            "create", "make", "write", "truncate", "protect", "rename", "exchange", "link",
            "remove",
        ]
        self.init(base) { _, call in
            let isChange =
                call.hasSuffix(Self.toWrite) || changes.contains { call.hasPrefix("\($0) ") }
            let isCloneInside = call.hasPrefix("clone ") && call.contains(" to \(path)/")
            return isChange && call.contains("\(path)/") || isCloneInside ? .fails(code) : .works
        }
    }

    /// The end of the line of a call that opens an existing file for writing.
    static let toWrite = " to write"
}
