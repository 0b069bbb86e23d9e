import Foundation

/// A small picture that the demo makes itself: a sky of two colours.
struct PaintedPicture {
    /// Red, green and blue, from 0 to 255.
    typealias Colour = SIMD3<Double>

    /// The name, which is that of the photo of the package too.
    let name: String
    /// The colours of the top and of the bottom.
    let top, bottom: Colour

    static let all = [
        PaintedPicture(name: "astronaut", top: [30, 40, 90], bottom: [240, 130, 50]),
        PaintedPicture(name: "camera", top: [200, 205, 210], bottom: [35, 35, 40]),
        PaintedPicture(name: "chelsea", top: [205, 160, 120], bottom: [190, 200, 90]),
        PaintedPicture(name: "coffee", top: [80, 35, 20], bottom: [235, 215, 190]),
        PaintedPicture(name: "hubble", top: [5, 5, 18], bottom: [20, 12, 45]),
        PaintedPicture(name: "moon", top: [15, 17, 25], bottom: [215, 215, 205]),
        PaintedPicture(name: "retina", top: [40, 5, 5], bottom: [225, 100, 60]),
        PaintedPicture(name: "rocket", top: [15, 25, 60], bottom: [255, 200, 110]),
    ]

    /// The bytes of the picture.
    var png: Data {
        let (width, height) = (120, 90)
        let rows = (0..<height).map { row in
            let colour = top + (bottom - top) * (Double(row) / Double(height - 1))
            let pixel = [colour.x, colour.y, colour.z].map { UInt8($0) }
            return Array(repeatElement(pixel, count: width).joined())
        }
        return PNG.encode(rows: rows)
    }
}
