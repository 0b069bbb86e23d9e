import Dispatch
import StoreModel

@testable import Directory

extension Store {
    /// Waits for the work that commits left to the background.
    func waitForCleanup() {
        for collection in [boxes, archive] { collection.core.background.wait() }
        openNotes?.core.background.wait()
        for album in openAlbums { album.core.background.wait() }
    }
}
