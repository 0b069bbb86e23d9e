import DirectoryTestSupport
import Foundation

/// An overlay (overlayfs) over a folder, as a container has over the layers of its image: the first change of a file or folder
/// copies it up.
final class Overlay {
    private let sandbox: Sandbox
    /// The lower layer, which does not change while the overlay is mounted.
    let lower: URL
    let url: URL

    static let canBeMounted: Bool = {
        #if os(Linux)
            return (try? Overlay().mount()) != nil
        #else
            return false
        #endif
    }()

    init() throws {
        sandbox = try Sandbox()
        lower = try sandbox.makeFolder("lower")
        url = try sandbox.makeFolder("overlay")
    }

    func mount() throws {
        let (upper, work) = try (sandbox.makeFolder("upper"), sandbox.makeFolder("work"))
        let layers = "lowerdir=\(lower.path),upperdir=\(upper.path),workdir=\(work.path)"
        try SmallVolume.run(["mount", "-t", "overlay", "-o", layers, "none", url.path])
    }

    deinit { try? SmallVolume.run(["umount", "-l", url.path]) }
}
