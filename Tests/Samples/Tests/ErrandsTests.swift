import Directory
import Foundation
import Observation
import TestSupport
import Testing

@testable import sample_errands

#if os(Linux) || os(macOS)
    @MainActor @Suite(.timeLimit(.minutes(30))) struct ErrandsTests {
        private let temporary: TemporaryFolder
        private let model: ErrandsModel

        init() throws {
            temporary = try TemporaryFolder()
            model = try ErrandsModel(in: temporary.url)
        }

        /// The rows as text, a line for each section.
        private var text: [String] {
            model.rows.sections.map { section in
                "\(section.key): \(section.items.map(\.title).joined(separator: ", "))"
            }
        }

        /// Runs another program on the same errands.
        private func change(_ arguments: String...) async throws {
            let folder = temporary.url.path
            _ = try await Task.detached { try run("sample-errands", [folder] + arguments) }.value
        }

        /// Waits until `condition` is true, and looks again when what it read has changed.
        private func wait(until condition: () -> Bool) async {
            while true {
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                let isMet = withObservationTracking(condition) { continuation.finish() }
                if isMet { return }
                for await _ in stream {}
            }
        }

        @Test func rowsAreInSectionsAndSorted() async throws {
            try await model.add("Milk", at: "Shop")
            try await model.add("Stamps", at: "Post")
            try await model.add("Bread", at: "Shop")
            #expect(text == ["Post: Stamps", "Shop: Bread, Milk"])
            #expect(model.form?.item.title == "Bread")
            try await model.removeSelection()
            #expect(text == ["Post: Stamps", "Shop: Milk"])
            model.search = "ST"
            #expect(text == ["Post: Stamps"])
            model.search = ""
            #expect(text.count == 2)
        }

        @Test func swipedRowIsThatOfTheSection() async throws {
            for title in ["Milk", "Bread", "Eggs"] { try await model.add(title, at: "Shop") }
            try await model.add("Stamps", at: "Post")
            let shop = try #require(model.rows.sections.last)
            try model.remove(at: [1], in: shop)
            #expect(text == ["Post: Stamps", "Shop: Bread, Milk"])
        }

        @Test func everyButtonCanBeUndone() async throws {
            try await model.add("Milk", at: "Shop")
            try await model.toggle(#require(model.selection))
            try await model.removeSelection()
            #expect(text == [])
            try await model.undo()
            #expect(model.rows.sections.first?.items.first?.isDone == true)
            try await model.undo()
            try await model.undo()
            #expect(text == [] && !model.errands.canUndo)
            try await model.redo()
            #expect(text == ["Shop: Milk"] && model.errands.canRedo)
        }

        @Test func rowsFollowAnotherProgram() async throws {
            let following = Task { await model.follow() }
            try await change("add", "Milk", "Shop")
            await wait { text == ["Shop: Milk"] }
            try await change("rename", "Milk", "Oat milk")
            await wait { text == ["Shop: Oat milk"] }
            following.cancel()
            await following.value
        }

        @Test func formShowsWhatAnotherProgramChanged() async throws {
            try await model.add("Milk", at: "Shop")
            let form = try #require(model.form)
            form.item.place = "Market"
            try await change("rename", "Milk", "Oat milk")
            await #expect(throws: (any Error).self) { try await model.saveForm() }
            #expect(form.conflict?.changedMembers == ["title"])
            #expect(form.conflict?.current?.title == "Oat milk")
            form.item.title = "Oat milk"
            try await form.save(overwriting: true)
            #expect(text == ["Market: Oat milk"])
        }
    }
#endif
