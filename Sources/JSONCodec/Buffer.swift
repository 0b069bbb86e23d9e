/// Values that grow in number, in memory of their own.
///
/// A class, because types may keep the decoder or encoder whose text this is, and because it is
/// changed from inside closures, where Swift would watch over the exclusive use of a structure.
final class Buffer<Element: BitwiseCopyable> {
    private(set) var base: UnsafeMutablePointer<Element>
    private(set) var count = 0
    private var capacity = 64

    init() { base = .allocate(capacity: capacity) }

    deinit { base.deallocate() }

    var elements: UnsafeBufferPointer<Element> { UnsafeBufferPointer(start: base, count: count) }

    /// Makes room for `extra` elements.
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

    /// Takes the first `written` elements after the last for written.
    @inline(__always)
    func advance(_ written: Int) { count += written }

    func removeAll() { count = 0 }
}
