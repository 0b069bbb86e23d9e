import Foundation

/// A way in which a terminal can draw pictures.
enum Graphics {
    /// The graphics protocol of kitty, which takes PNG files and no other pictures.
    case kitty
    /// The inline images of iTerm2, which take any file.
    case inline

    /// Asks the terminal for its way to draw pictures; nil if it has none of these, or is no terminal.
    static func ask() throws -> Graphics? {
        // A terminal that knows no escape sequences would show the query as text.
        guard Terminal.canAsk, !["", "dumb", "linux"].contains(Terminal.type) else { return nil }
        let query = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[>q\u{1B}[c"
        guard let answer = try RawTerminal.ask(query, until: isComplete) else { return nil }
        let programs = ["iTerm2", "WezTerm", "mintty"]
        if programs.contains(where: { answer.contains("\u{1B}P>|\($0)") }) { return .inline }
        return answer.contains("\u{1B}_Gi=31;OK") ? .kitty : nil
    }

    /// Whether `answer` has the primary device attributes (DA1): all terminals report them, and they are the
    /// last question of the query.
    private static func isComplete(_ answer: String) -> Bool {
        answer.contains(/\e\[\?[0-9;]*c/)
    }
}

extension Graphics {
    /// The text that draws a picture, at most `rows` lines high; nil if the terminal cannot draw the picture.
    func drawing(_ data: Data, name: String, rows: Int, columns: Int) -> String? {
        switch self {
        case .inline:
            let name = Data(name.utf8).base64EncodedString()
            let options = "name=\(name);size=\(data.count);inline=1;height=\(rows)"
            return "\u{1B}]1337;File=\(options):\(data.base64EncodedString())\u{07}\n"
        case .kitty:
            guard PictureFormat(of: data) == .png, let size = Self.sizeOfPNG(data) else {
                return nil
            }
            // A cell is about twice as high as it is wide.
            let width = rows * 2 * size.width / max(1, size.height)
            return Self.kitty(data, scale: width < columns ? "r=\(rows)" : "c=\(columns - 1)")
        }
    }

    /// The commands that send and show the PNG file `data`, in parts, because terminals limit the length of a command.
    private static func kitty(_ data: Data, scale: String) -> String {
        let text = Array(data.base64EncodedString().utf8)
        let starts = stride(from: 0, to: text.count, by: 4096)
        let chunks = starts.map { start in
            let end = min(start + 4096, text.count)
            // q=2: the terminal does not answer, so no answer is left for the shell.
            let first = start == 0 ? "a=T,q=2,f=100,\(scale)," : ""
            let bytes = String(decoding: text[start..<end], as: UTF8.self)
            return "\u{1B}_G\(first)m=\(end < text.count ? 1 : 0);\(bytes)\u{1B}\\"
        }
        return chunks.joined() + "\n"
    }

    /// The width and height in the header of a PNG file.
    private static func sizeOfPNG(_ data: Data) -> (width: Int, height: Int)? {
        guard data.count >= 24 else { return nil }
        func number(at offset: Int) -> Int {
            data.dropFirst(offset).prefix(4).reduce(0) { $0 << 8 | Int($1) }
        }
        return (number(at: 16), number(at: 20))
    }
}
