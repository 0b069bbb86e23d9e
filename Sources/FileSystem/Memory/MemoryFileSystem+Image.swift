import Synchronization

extension MemoryFileSystem {
    /// The contents of a file system, without its open handles: files and folders by inode number.
    package struct Image: Hashable, Sendable {
        package enum Content: Hashable, Sendable {
            case file([UInt8])
            case folder([FileName: UInt64])
        }

        package var contents: [UInt64: Content]

        /// The inode number of the root folder.
        package static let root = MemoryFileSystem.root
    }

    /// The contents of the file system now.
    package var image: Image {
        state.withLock { state in
            Image(
                contents: state.nodes.mapValues { node in
                    node.isFolder ? .folder(node.entries) : .file(node.bytes)
                })
        }
    }

    /// Creates a file system with the contents of `image`.
    package convenience init(_ image: Image) {
        self.init()
        let names = image.contents.values.flatMap { content -> [UInt64] in
            guard case .folder(let entries) = content else { return [] }
            return Array(entries.values)
        }
        let linkCounts = Dictionary(names.map { ($0, 1) }, uniquingKeysWith: +)
        state.withLock { state in
            state.lastInode = max(Self.root, image.contents.keys.max() ?? Self.root)
            for (inode, content) in image.contents {
                switch content {
                case .file(let bytes):
                    state.nodes[inode] = Node(
                        isFolder: false, bytes: bytes, mode: 0o600,
                        linkCount: linkCounts[inode, default: 1], modified: .epoch, changed: .epoch,
                        created: .epoch)
                case .folder(let entries):
                    state.nodes[inode] = Node(
                        isFolder: true, entries: entries, mode: 0o700, modified: .epoch,
                        changed: .epoch,
                        created: .epoch)
                }
            }
        }
    }
}
