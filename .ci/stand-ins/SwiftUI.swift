// Stands in for SwiftUI where there is none, so that the views in the documentation are type-checked
// there too. It has only what they use, as Apple documents it.
import Directory
public import Foundation
@_exported import Observation

@MainActor public protocol View {
    associatedtype Body: View
    @ViewBuilder var body: Body { get }
}
extension Never: View { public var body: Never { self } }
public protocol Leaf: View where Body == Never {}
extension Leaf { public var body: Never { preconditionFailure("only type-checked") } }
public struct EmptyView: Leaf { public init() {} }
public struct Any2<A, B>: Leaf {}
extension Optional: View where Wrapped: View { public var body: Never { preconditionFailure() } }
extension Optional: Leaf where Wrapped: View {}

@MainActor @resultBuilder public enum ViewBuilder {
    public static func buildBlock() -> EmptyView { EmptyView() }
    public static func buildExpression<V: View>(_ view: V) -> V { view }
    public static func buildBlock<A: View>(_ a: A) -> A { a }
    public static func buildBlock<A: View, B: View>(_ a: A, _ b: B) -> Any2<A, B> { Any2() }
    public static func buildBlock<A: View, B: View, C: View>(
        _ a: A, _ b: B, _ c: C
    ) -> Any2<A, Any2<B, C>> { Any2() }
    public static func buildOptional<A: View>(_ a: A?) -> A? { a }
    public static func buildIf<A: View>(_ a: A?) -> A? { a }
    public static func buildEither<A: View, B: View>(first: A) -> Any2<A, B> { Any2() }
    public static func buildEither<A: View, B: View>(second: B) -> Any2<A, B> { Any2() }
}

@propertyWrapper public struct State<Value> {
    public var wrappedValue: Value { get { box[0] } nonmutating set {} }
    public var projectedValue: Binding<Value> { Binding(get: { self.box[0] }, set: { _ in }) }
    private let box: [Value]
    public init(wrappedValue: Value) { box = [wrappedValue] }
    public init(initialValue: Value) { box = [initialValue] }
}
extension State where Value: ExpressibleByNilLiteral {
    public init() { self.init(wrappedValue: nil) }
}
@propertyWrapper @dynamicMemberLookup public struct Binding<Value> {
    public let get: () -> Value
    public let set: (Value) -> Void
    public init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
        (self.get, self.set) = (get, set)
    }
    public var wrappedValue: Value { get { get() } nonmutating set { set(newValue) } }
    public var projectedValue: Binding { self }
    public subscript<Part>(dynamicMember path: WritableKeyPath<Value, Part>) -> Binding<Part> {
        Binding<Part>(get: { get()[keyPath: path] }, set: { _ in })
    }
}
@propertyWrapper public struct Environment<Value> {
    public let wrappedValue: Value
    public init(_ path: KeyPath<EnvironmentValues, Value>) {
        wrappedValue = EnvironmentValues()[keyPath: path]
    }
}
public struct EnvironmentValues {
    public var undoManager: UndoManager? { nil }
    public var scenePhase: ScenePhase { .active }
}
public enum ScenePhase { case background, inactive, active }
@MainActor public class UndoManager {}

public struct Text: Leaf { public init(_ text: some StringProtocol) {} }
public struct TextField: Leaf { public init(_ title: String, text: Binding<String>) {} }
public struct Toggle: Leaf { public init(_ title: String, isOn: Binding<Bool>) {} }
public struct ProgressView: Leaf {
    public init() {}
    public init(_ progress: Progress) {}
}
public struct AsyncImage: Leaf { public init(url: URL?) {} }
public struct Button: Leaf {
    public init(_ title: String, action: @escaping @MainActor () -> Void) {}
    public init(_ title: String, systemImage: String, action: @escaping @MainActor () -> Void) {}
}
public struct NavigationLink: Leaf {
    public init(_ title: String, @ViewBuilder destination: () -> some View) {}
}
public struct List: Leaf {
    public init(@ViewBuilder content: () -> some View) {}
    public init<Items: RandomAccessCollection>(
        _ items: Items, @ViewBuilder row: (Items.Element) -> some View
    ) where Items.Element: Identifiable {}
}
public struct ScrollView: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct Form: Leaf { public init(@ViewBuilder content: () -> some View) {} }
public struct Section: Leaf {
    public init(_ title: String, @ViewBuilder content: () -> some View) {}
}
public struct ForEach: Leaf {
    public init<Items: RandomAccessCollection>(
        _ items: Items, @ViewBuilder row: (Items.Element) -> some View
    ) where Items.Element: Identifiable {}
    public func onMove(perform action: ((IndexSet, Int) -> Void)?) -> ForEach { self }
    public func onDelete(perform action: ((IndexSet) -> Void)?) -> ForEach { self }
}
public struct UTType: Sendable {
    public static let image = UTType()
}
extension View {
    public func navigationTitle(_ title: some StringProtocol) -> some View { self }
    public func toolbar(@ViewBuilder content: () -> some View) -> some View { self }
    public func overlay(@ViewBuilder content: () -> some View) -> some View { self }
    public func disabled(_ isDisabled: Bool) -> some View { self }
    public func onDisappear(perform action: (() -> Void)?) -> some View { self }
    public func onChange<Value: Equatable>(
        of value: Value, _ action: @escaping (Value, Value) -> Void
    ) -> some View { self }
    public func task(_ action: @escaping @MainActor @Sendable () async -> Void) -> some View { self }
    public func alert(
        _ title: String, isPresented: Binding<Bool>, @ViewBuilder actions: () -> some View
    ) -> some View { self }
    public func fileImporter(
        isPresented: Binding<Bool>, allowedContentTypes: [UTType],
        allowsMultipleSelection: Bool,
        onCompletion: @escaping (Result<[URL], any Error>) -> Void
    ) -> some View { self }
}
extension URL {
    public func startAccessingSecurityScopedResource() -> Bool { true }
    public func stopAccessingSecurityScopedResource() {}
}

// What Directory itself has on Apple's platforms only.
extension Directory {
    public func binding(
        for id: Item.ID, onError: @escaping @Sendable (any Error) -> Void = { _ in }
    ) -> Binding<Item>? { nil }
    public func commitEdits() {}
    public func commitEdits() async {}
    @MainActor public func registerUndo(
        with manager: UndoManager, onError: @escaping @MainActor (any Error) -> Void = { _ in }
    ) {}
}
