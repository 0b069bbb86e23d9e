/// A growable array of trivial values, in memory of its own.
///
/// It is a class because a type may keep a decoder or encoder that uses it. Closures change it, and in
/// a struct Swift would check each of these accesses for exclusivity at run time.
final class Buffer<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity = max(16, 256 / MemoryLayout<Element>.stride)

    init() { base = .allocate(capacity: capacity) }

    deinit { base.deallocate() }

    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    /// Allocates memory for `extra` more elements.
    @inline(__always)
    func reserve(_ extra: Int) {
        if count + extra > capacity { grow(extra) }
    }

    private func grow(_ extra: Int) {
        capacity = (count + extra) * 2
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
        larger.initialize(from: base, count: count)
        base.deallocate()
        base = larger
    }

    @inline(__always)
    func append(_ element: Element) {
        reserve(1)
        (base + count).initialize(to: element)
        count += 1
    }

    @inline(__always)
    func append(_ elements: UnsafeBufferPointer<Element>) {
        guard let source = elements.baseAddress else { return }
        reserve(elements.count)
        (base + count).initialize(from: source, count: elements.count)
        count += elements.count
    }

    func append(_ elements: Slice<UnsafeBufferPointer<Element>>) {
        append(UnsafeBufferPointer(rebasing: elements))
    }

    /// Adds to the count the `written` elements that the caller has initialized after the last one.
    @inline(__always)
    func advance(_ written: Int) { count += written }

    /// Removes the elements from the position `start` on.
    func removeAll(from start: Int = 0) { count = start }
}

typealias ByteBuffer = Buffer<UInt8>
