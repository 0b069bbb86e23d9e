import Foundation

/// A way in which a terminal can draw pictures.
enum Graphics {
    /// The graphics protocol of kitty, which takes PNG files and no other pictures.
    case kitty
    /// The inline images of iTerm2, which take any file.
    case inline

    /// What the terminal can draw, by the variables that terminals set; nil if that is nothing.
    init?() {
        let environment = ProcessInfo.processInfo.environment
        let names = ["TERM", "TERM_PROGRAM", "LC_TERMINAL"].compactMap { environment[$0] }
        // tmux does not pass pictures on.
        guard Terminal.isInteractive, environment["TMUX"] == nil else { return nil }
        if names.contains(where: ["iTerm.app", "iTerm2", "WezTerm", "mintty"].contains) {
            self = .inline
        } else if names.contains(where: ["xterm-kitty", "xterm-ghostty"].contains) {
            self = .kitty
        } else {
            return nil
        }
    }

    /// The text that draws a picture, `rows` lines high; nil if the terminal cannot draw the picture.
    func drawing(_ data: Data, name: String, rows: Int) -> String? {
        switch self {
        case .inline:
            let name = Data(name.utf8).base64EncodedString()
            let options = "name=\(name);size=\(data.count);inline=1;height=\(rows)"
            return "\u{1B}]1337;File=\(options):\(data.base64EncodedString())\u{07}\n"
        case .kitty:
            return PictureFormat(of: data) == .png ? Self.kitty(data, rows: rows) : nil
        }
    }

    /// The commands that send and show the PNG file `data`, in parts, because terminals limit the length of a command.
    private static func kitty(_ data: Data, rows: Int) -> String {
        let text = Array(data.base64EncodedString().utf8)
        let commands = stride(from: 0, to: text.count, by: 4096).map { start in
            let end = min(start + 4096, text.count)
            // q=2: the terminal does not answer, so no answer is left for the shell.
            let first = start == 0 ? "a=T,q=2,f=100,r=\(rows)," : ""
            let bytes = String(decoding: text[start..<end], as: UTF8.self)
            return "\u{1B}_G\(first)m=\(end < text.count ? 1 : 0);\(bytes)\u{1B}\\"
        }
        return commands.joined() + "\n"
    }
}
