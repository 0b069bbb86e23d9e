import Testing

@testable import Directory

/// Each broken tree here breaks one invariant.
struct InvariantTests {
    private func leaf(_ labels: some Sequence<UInt64>) -> ElementTree.Node {
        .leaf(ContiguousArray(labels.map { .init(label: $0, element: LineElement([])) }))
    }

    private func branch(_ nodes: [ElementTree.Node]) -> ElementTree.Node {
        .branch(ContiguousArray(nodes.map { .init($0) }))
    }

    private func isValid(_ root: ElementTree.Node, count: Int? = nil) -> Bool {
        var tree = ElementTree()
        tree.root = root
        tree.count = count ?? root.elementCount
        return (try? tree.checkInvariants()) != nil
    }

    @Test func validTreesPass() {
        #expect(isValid(leaf([])))
        #expect(isValid(leaf(1...UInt64(ElementTree.capacity))))
        #expect(isValid(leaf([5, 5, 5])))
        #expect(isValid(branch([leaf(1...10), leaf(11...17)])))
    }

    @Test func wrongNodesAreFound() {
        #expect(!isValid(leaf(1...UInt64(ElementTree.capacity) + 1)))
        #expect(!isValid(leaf([2, 1])))
        #expect(!isValid(leaf([1, 2]), count: 3))
        #expect(!isValid(branch([leaf(1...10)])))
        #expect(!isValid(branch([leaf(1...4), leaf(5...8)])))
    }

    @Test func wrongChildrenAreFound() {
        typealias Children = ContiguousArray<ElementTree.Child>
        func isValidBranch(after change: (inout Children) -> Void) -> Bool {
            var children: Children = [.init(leaf(1...10)), .init(leaf(11...20))]
            change(&children)
            return isValid(.branch(children))
        }
        #expect(isValidBranch(after: { _ in }))
        #expect(!isValidBranch(after: { $0[1].label = 10 }))
        #expect(!isValidBranch(after: { $0[0].count = 9 }))
        #expect(!isValidBranch(after: { $0[0].node = leaf([]) }))
        #expect(!isValid(branch([leaf(1...10), leaf(8...15)])))
        #expect(!isValid(branch([leaf(1...10), branch([leaf(11...20), leaf(21...30)])])))
    }

    @Test func checkOfOnePathSeesThatPathOnly() {
        var tree = ElementTree()
        tree.root = branch([leaf(1...10), leaf([12, 11] + (13...20))])
        tree.count = tree.root.elementCount
        #expect((try? tree.checkInvariants(at: 0)) != nil)
        #expect((try? tree.checkInvariants(at: 10)) == nil)
    }

    @Test func wrongBucketsAreFound() {
        typealias Node = HashTrie<Int>.Node
        func isValid(_ node: Node, depth: Int = 0) -> Bool {
            (try? node.checkInvariants(depth: depth, prefix: 0)) != nil
        }
        func bucket(_ hashes: some Sequence<Int>) -> Node {
            .bucket(ContiguousArray(hashes.map { .init(hash: $0, value: 0) }))
        }
        func branch(_ count: Int, first: Node) -> Node {
            .branch([first] + (1..<count).map { _ in .bucket([]) })
        }
        let (capacity, width) = (HashTrie<Int>.capacity, Node.width)
        #expect(isValid(bucket(0..<capacity)))
        #expect(!isValid(bucket(0...capacity)))
        #expect(isValid(bucket(Array(repeating: 0, count: capacity + 1)), depth: Node.maxDepth))
        #expect(isValid(branch(width, first: bucket([width]))))
        #expect(!isValid(branch(width, first: bucket([width + 1]))))
        #expect(!isValid(branch(width - 1, first: bucket([]))))
    }
}
