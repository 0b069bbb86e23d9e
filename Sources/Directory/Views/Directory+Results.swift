public import Foundation

extension Directory {
    /// The items that meet a condition, in the order of the collection, kept up to date.
    ///
    /// - Parameter isIncluded: The condition; it must depend on the item alone. It is called on the
    ///   threads that commit or load, while the collection is locked, so it must not change a
    ///   collection.
    /// - Returns: The items; they stay up to date as long as you hold them.
    public func results(where isIncluded: @escaping @Sendable (Item) -> Bool) -> Results<Item> {
        Results(of: self, FlatArrangement(condition(isIncluded), ViewOrder()))
    }

    /// The items that meet a condition, sorted, kept up to date.
    ///
    ///     let open = tasks.results(where: { !$0.isDone }, sortedBy: KeyPathComparator(\.due))
    ///
    /// - Parameters:
    ///   - isIncluded: The condition, as for ``results(where:)``; without it, all items are
    ///     included.
    ///   - comparator: The order; called under the same rules as `isIncluded`.
    /// - Returns: The items; they stay up to date as long as you hold them.
    public func results(
        where isIncluded: @escaping @Sendable (Item) -> Bool = { _ in true },
        sortedBy comparator: some SortComparator<Item> & Sendable
    ) -> Results<Item> {
        Results(
            of: self, FlatArrangement(condition(isIncluded), ViewOrder(comparator)))
    }

    /// The items that meet a condition, sorted by several comparators, kept up to date.
    ///
    /// - Parameters:
    ///   - isIncluded: The condition, as for ``results(where:)``; without it, all items are
    ///     included.
    ///   - comparators: The order, by the first of these that tells two items apart, such as the
    ///     sort order of a table; called under the same rules as `isIncluded`.
    /// - Returns: The items; they stay up to date as long as you hold them.
    public func results(
        where isIncluded: @escaping @Sendable (Item) -> Bool = { _ in true },
        sortedBy comparators: [some SortComparator<Item> & Sendable]
    ) -> Results<Item> {
        Results(
            of: self, FlatArrangement(condition(isIncluded), order(by: comparators)))
    }
}

extension Directory {
    /// The items that meet a condition, in sections, in the order of the collection, kept up to date.
    ///
    ///     let byLetter = projects.results(sectionedBy: { $0.title.prefix(1) })
    ///
    /// - Parameters:
    ///   - isIncluded: The condition, as for ``results(where:)``; without it, all items are included.
    ///   - key: Returns the key of the section of an item; called under the same rules as `isIncluded`. An item whose
    ///     key does not equal itself, such as NaN, is in no section.
    ///   - sectionOrder: Whether the keys ascend or descend.
    /// - Returns: The sections; they stay up to date as long as you hold them.
    public func results<Key>(
        where isIncluded: @escaping @Sendable (Item) -> Bool = { _ in true },
        sectionedBy key: @escaping @Sendable (Item) -> Key,
        sectionOrder: SortOrder = .forward
    ) -> SectionedResults<Item, Key> {
        SectionedResults(of: self, SectionedArrangement(isIncluded, ViewOrder(), key, sectionOrder))
    }

    /// The items that meet a condition, in sections, each of them sorted, kept up to date.
    ///
    /// - Parameters:
    ///   - isIncluded: The condition, as for ``results(where:)``; without it, all items are included.
    ///   - comparator: The order in each section; called under the same rules as `isIncluded`.
    ///   - key: Returns the key of the section of an item; called under the same rules as `isIncluded`. An item whose
    ///     key does not equal itself, such as NaN, is in no section.
    ///   - sectionOrder: Whether the keys ascend or descend.
    /// - Returns: The sections; they stay up to date as long as you hold them.
    public func results<Key>(
        where isIncluded: @escaping @Sendable (Item) -> Bool = { _ in true },
        sortedBy comparator: some SortComparator<Item> & Sendable,
        sectionedBy key: @escaping @Sendable (Item) -> Key,
        sectionOrder: SortOrder = .forward
    ) -> SectionedResults<Item, Key> {
        SectionedResults(
            of: self,
            SectionedArrangement(
                isIncluded, ViewOrder(comparator), key, sectionOrder))
    }

    /// The items that meet a condition, in sections, each of them sorted by several comparators, kept
    /// up to date.
    ///
    /// - Parameters:
    ///   - isIncluded: The condition, as for ``results(where:)``; without it, all items are included.
    ///   - comparators: The order in each section, by the first of these that tells two items apart; called under the
    ///     same rules as `isIncluded`.
    ///   - key: Returns the key of the section of an item; called under the same rules as `isIncluded`. An item whose
    ///     key does not equal itself, such as NaN, is in no section.
    ///   - sectionOrder: Whether the keys ascend or descend.
    /// - Returns: The sections; they stay up to date as long as you hold them.
    public func results<Key>(
        where isIncluded: @escaping @Sendable (Item) -> Bool = { _ in true },
        sortedBy comparators: [some SortComparator<Item> & Sendable],
        sectionedBy key: @escaping @Sendable (Item) -> Key,
        sectionOrder: SortOrder = .forward
    ) -> SectionedResults<Item, Key> {
        SectionedResults(
            of: self, SectionedArrangement(isIncluded, order(by: comparators), key, sectionOrder))
    }
}

extension Directory {
    /// The condition of the items, as one of their elements.
    private func condition(_ isIncluded: @escaping @Sendable (Item) -> Bool)
        -> @Sendable (any IndexElement) -> Bool
    {
        { isIncluded(ItemElement<Item>.of($0).item) }
    }

    /// The order by the first of `comparators` that tells two items apart.
    private func order(by comparators: [some SortComparator<Item> & Sendable]) -> ViewOrder {
        ViewOrder(CombinedOrder(comparators: comparators))
    }
}
