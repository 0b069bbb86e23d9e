import Directory
import Foundation
import Testing

@MainActor @Suite struct TripsModelTests {
    let volume = MemoryVolume()
    let model: TripsModel
    /// Any file will do as a picture: this one.
    let picture = URL(filePath: #filePath)

    init() throws {
        model = try TripsModel(at: volume.url)
    }

    @Test func tripIsThereAtTheNextLaunch() throws {
        model.add("Norway")
        let next = try TripsModel(at: volume.url)
        #expect(next.trips.items.map(\.title) == ["Norway"])
    }

    @Test func anyTitleIsPossibleAndPossibleTwice() {
        model.add("Day/Night")
        model.add("Day/Night")
        #expect(model.message == nil)
        #expect(model.trips.items.map(\.folderName) == ["Day-Night", "Day-Night 2"])
    }

    @Test func pictureCanBeShown() throws {
        model.add("Norway", pictures: [picture])
        let trip = try #require(model.trips.items.first)
        let pictures = try model.trips.child(.pictures, of: trip.id)
        try pictures.load()
        let shown = try #require(pictures.items.first)
        // A temporary file, which is removed with the volume.
        let file = try pictures.url(of: shown.id)
        #expect(try Data(contentsOf: file) == Data(contentsOf: picture))
    }

    @Test func fullVolumeLeavesNoTripWithoutPictures() throws {
        volume.fail(.noSpace, at: 2)  // The trip can be added, its pictures cannot.
        model.add("Norway", pictures: [picture])
        #expect(model.message == "Free some space, then add “Norway” again.")
        #expect(model.trips.isEmpty)

        model.add("Norway", pictures: [picture])
        #expect(model.message == nil)
        #expect(model.trips.count == 1)
        #expect(try model.trips.verify() == [])
    }

    @Test func loadsAndPicturesFailToo() {
        volume.fail(.accessDenied, on: .load)
        volume.fail(.noSpace, on: .staging)
        #expect(throws: DirectoryError.self) { try model.trips.load() }
        model.add("Norway", pictures: [picture])
        #expect(model.message == "Free some space, then add “Norway” again.")
        #expect(model.trips.isEmpty)
    }

    @Test func missingPictureAddsNothing() {
        model.add("Norway", pictures: [picture, volume.url.appending(path: "lost.jpg")])
        #expect(model.message?.contains("lost.jpg") == true)
        #expect(model.trips.isEmpty)
    }
}
