import Foundation

/// A small picture that the demo makes itself: a disc before a sky.
struct PaintedPicture {
    typealias Colour = (red: Double, green: Double, blue: Double)

    /// The name, which the photo of the package has as well.
    let name: String
    /// The colours of the sky, from the top to the bottom, and of the disc.
    private let top, bottom, disc: Colour
    /// The centre and the radius of the disc, as parts of the width.
    private let x, y, radius: Double

    static let all: [PaintedPicture] = [
        .init(name: "astronaut", (30, 40, 90), (190, 90, 40), (240, 130, 50), 0.5, 0.4, 0.22),
        .init(name: "camera", (200, 205, 210), (90, 95, 100), (35, 35, 40), 0.35, 0.45, 0.2),
        .init(name: "chelsea", (205, 160, 120), (120, 80, 60), (190, 200, 90), 0.5, 0.38, 0.15),
        .init(name: "coffee", (150, 80, 40), (80, 35, 20), (235, 215, 190), 0.55, 0.4, 0.25),
        .init(name: "hubble", (5, 5, 18), (20, 12, 45), (240, 220, 190), 0.3, 0.25, 0.03),
        .init(name: "moon", (15, 17, 25), (30, 33, 45), (215, 215, 205), 0.6, 0.35, 0.24),
        .init(name: "retina", (40, 5, 5), (60, 10, 5), (225, 100, 60), 0.5, 0.375, 0.36),
        .init(name: "rocket", (15, 25, 60), (70, 60, 110), (255, 200, 110), 0.5, 0.7, 0.1),
    ]

    private init(
        name: String, _ top: Colour, _ bottom: Colour, _ disc: Colour, _ x: Double, _ y: Double,
        _ radius: Double
    ) {
        (self.name, self.top, self.bottom, self.disc) = (name, top, bottom, disc)
        (self.x, self.y, self.radius) = (x, y, radius)
    }

    /// The bytes of the picture.
    var png: Data {
        let (width, height) = (120, 90)
        let rows = (0..<height).map { row in
            (0..<width).flatMap { column in pixel(column, row, width, height) }
        }
        return PNG.encode(rows: rows, width: width)
    }

    private func pixel(_ column: Int, _ row: Int, _ width: Int, _ height: Int) -> [UInt8] {
        let depth = Double(row) / Double(height - 1)
        let distance = hypot(
            Double(column) / Double(width) - x, Double(row) / Double(width) - y)
        // The edge of the disc is one pixel wide.
        let part = min(1, max(0, (radius - distance) * Double(width)))
        func mix(_ part: Double, _ a: Double, _ b: Double) -> Double { a + (b - a) * part }
        let channels = [\Colour.red, \Colour.green, \Colour.blue].map { channel in
            mix(
                part, mix(depth, top[keyPath: channel], bottom[keyPath: channel]),
                disc[keyPath: channel])
        }
        return channels.map { UInt8(max(0, min(255, $0))) }
    }
}
