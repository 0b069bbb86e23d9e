/// A style of text: the parameter of a graphic rendition in ECMA-48.
enum Style: String {
    case plain = "0"
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
    case blue = "34"
    case title = "1;36"
}
