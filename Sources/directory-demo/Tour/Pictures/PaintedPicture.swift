import Foundation

/// A small picture that the demo makes itself: a disc before a sky.
struct PaintedPicture {
    /// Red, green and blue, from 0 to 255.
    typealias Colour = SIMD3<Double>

    /// The name, which the photo of the package has as well.
    let name: String
    /// The colours of the sky, from the top to the bottom, and of the disc.
    let top, bottom, disc: Colour
    /// The centre and the radius of the disc, as parts of the width.
    let x, y, radius: Double

    static let all: [PaintedPicture] = [
        .init("astronaut", [30, 40, 90], [190, 90, 40], [240, 130, 50], 0.5, 0.4, 0.22),
        .init("camera", [200, 205, 210], [90, 95, 100], [35, 35, 40], 0.35, 0.45, 0.2),
        .init("chelsea", [205, 160, 120], [120, 80, 60], [190, 200, 90], 0.5, 0.38, 0.15),
        .init("coffee", [150, 80, 40], [80, 35, 20], [235, 215, 190], 0.55, 0.4, 0.25),
        .init("hubble", [5, 5, 18], [20, 12, 45], [240, 220, 190], 0.3, 0.25, 0.03),
        .init("moon", [15, 17, 25], [30, 33, 45], [215, 215, 205], 0.6, 0.35, 0.24),
        .init("retina", [40, 5, 5], [60, 10, 5], [225, 100, 60], 0.5, 0.375, 0.36),
        .init("rocket", [15, 25, 60], [70, 60, 110], [255, 200, 110], 0.5, 0.7, 0.1),
    ]

    private init(
        _ name: String, _ top: Colour, _ bottom: Colour, _ disc: Colour, _ x: Double, _ y: Double,
        _ radius: Double
    ) {
        (self.name, self.top, self.bottom, self.disc) = (name, top, bottom, disc)
        (self.x, self.y, self.radius) = (x, y, radius)
    }

    /// The bytes of the picture.
    var png: Data {
        let (width, height) = (120.0, 90.0)
        let rows = stride(from: 0, to: height, by: 1).map { row in
            stride(from: 0, to: width, by: 1).flatMap { column in
                let sky = top + (bottom - top) * (row / (height - 1))
                // The edge of the disc is one pixel wide.
                let distance = hypot(column / width - x, row / width - y)
                let part = min(1, max(0, (radius - distance) * width))
                let colour = sky + (disc - sky) * part
                return [colour.x, colour.y, colour.z].map { UInt8($0) }
            }
        }
        return PNG.encode(rows: rows)
    }
}
