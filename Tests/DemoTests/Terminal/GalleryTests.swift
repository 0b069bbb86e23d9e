import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct GalleryTests {
        let store: DemoStore
        let page: URL

        init() throws {
            store = try DemoStore(after: [
                ["new", "Apollo"], ["import", "Apollo"] + Fixtures.photos().map(\.path),
                ["note", "Apollo", "Look <b>back</b> & \"wave\""],
                ["new", "<script>alert('x')</script>"],
            ])
            page = store.parent.appending(path: "page.html")
        }

        private func make(_ arguments: String...) throws -> String {
            try store.succeed(["gallery", "--output", page.path] + arguments)
            return try String(contentsOf: page, encoding: .utf8)
        }

        @Test func everyPhotoIsInThePageWithItsNameAndBytes() throws {
            let html = try make()
            for photo in try Fixtures.photos() {
                let type = photo.pathExtension == "png" ? "png" : "jpeg"
                let bytes = try Data(contentsOf: photo).base64EncodedString()
                let name = photo.lastPathComponent
                #expect(html.contains("src=\"data:image/\(type);base64,\(bytes)\" alt=\"\(name)\""))
                #expect(html.contains("<figcaption><b>\(name)</b>"))
            }
            #expect(html.matches(of: /<figure tabindex="0">/).count == 8)
        }

        @Test func namesAndNotesAreText() throws {
            let html = try make()
            #expect(html.contains("<li>Look &lt;b&gt;back&lt;/b&gt; &amp; &quot;wave&quot;</li>"))
            #expect(html.contains("<h2>&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;</h2>"))
            #expect(html.matches(of: /<script/).isEmpty)
        }

        @Test func aMarkAfterALetterOfHTMLHidesNothing() throws {
            let marks = "<\u{301}b>\u{301}&\u{301}\"\u{301} onload='\u{301}"
            let file = store.parent.appending(path: "x\(marks).png")
            try Fixtures.data(named: "moon.png").write(to: file)
            try store.succeed("import", "Apollo", file.path)
            try store.succeed("note", "Apollo", marks)
            try store.succeed("rename", "Apollo", "Apollo \(marks)")
            let html = try make()
            let escaped = "&lt;\u{301}b&gt;\u{301}&amp;\u{301}&quot;\u{301} onload=&#39;\u{301}"
            #expect(html.utf8.contains("alt=\"x\(escaped).png\"".utf8))
            #expect(html.utf8.contains("<li>\(escaped)</li>".utf8))
            #expect(html.utf8.contains("<h2>Apollo \(escaped)</h2>".utf8))
        }

        @Test func nothingIsFetched() throws {
            let html = try make()
            #expect(
                !html.contains("http:") && !html.contains("https:") && !html.contains("//fonts"))
            #expect(html.matches(of: /\b(src|href)="(?!data:)/).isEmpty)
            #expect(html.matches(of: /url\(|@import|<link/).isEmpty)
        }

        @Test func thePageIsWellFormed() throws {
            let html = try make()
            #expect(html.hasPrefix("<!DOCTYPE html>\n<html lang=\"en\">"))
            #expect(html.contains("color-scheme: light dark"))
            // Every element that has an end ends, in the right order.
            let body = html.replacing(/<(style|script)>[^\0]*?<\/\1>/, with: "")
            var open: [Substring] = []
            for tag in body.matches(of: /<(\/?)([a-z0-9]+)[^>]*>/)
            where !["meta", "img", "br"].contains(tag.2) {
                if tag.1.isEmpty { open.append(tag.2) } else { #expect(open.popLast() == tag.2) }
            }
            #expect(open.isEmpty)
        }

        @Test func onlyAGalleryIsReplaced() throws {
            _ = try make()
            try store.succeed("note", "Apollo", "Later")
            #expect(try make().contains("<li>Later</li>"))
            try Data("mine".utf8).write(to: page)
            let error = try store.fail("gallery", "--output", page.path)
            #expect(error.contains("something at \(page.path) already"))
            #expect(try Data(contentsOf: page) == Data("mine".utf8))
            #expect(try make("--force").contains("<li>Later</li>"))
        }

        @Test func nothingInTheStoreIsReplaced() throws {
            let link = store.parent.appending(path: "link").path
            try FileManager.default.createSymbolicLink(
                atPath: link, withDestinationPath: store.folder.path)
            for folder in [store.folder.path, link, "\(store.folder.path)/."] {
                for name in ["projects.json", "page.html", ".projects.lock"] {
                    let path = "\(folder)/\(name)"
                    let error = try store.fail("gallery", "--output", path, "--force")
                    #expect(error.contains("it is inside the store"))
                }
            }
        }

        @Test(arguments: ["", "/", "/page.html/"])
        func aFolderIsNoPlaceForThePage(_ end: String) throws {
            let error = try store.fail("gallery", "--output", store.parent.path + end)
            #expect(error.contains("is a folder\nGive a file, such as --output "))
            #expect(!error.contains("--force"))
        }

        @Test func thePageCanGoToStandardOutput() throws {
            let page = try make()
            #expect(try store.succeed("gallery", "--output", "-") == page)
        }

        @Test func photosWithoutTheirFilesAreSaidToBeMissing() throws {
            let photo = try store.photos(of: "Apollo")[0]
            try FileManager.default.removeItem(at: store.folder.appending(path: photo.path))
            #expect(try make().contains("The file is missing."))
        }

        /// The page checks itself in the browser: each photo is decoded, and the one with the focus is large.
        @Test(.timeLimit(.minutes(30))) func aBrowserShowsEveryPhoto() throws {
            guard let browser = Self.browser else {
                return print("aBrowserShowsEveryPhoto: there is no browser on PATH")
            }
            let check = """
                <script>
                addEventListener("load", () => {
                  const shown = [...document.querySelectorAll("figure img")]
                    .filter(image => image.complete && image.naturalWidth > 0).length;
                  const figure = document.querySelector("figure");
                  const width = figure.clientWidth;
                  figure.focus();
                  document.title = ["RESULT", shown, figure.clientWidth > 2 * width].join(" ");
                });
                </script></body>
                """
            let html = try make().replacing("</body>", with: check)
            try Data(html.utf8).write(to: page)
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: browser)
            process.arguments = [
                "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
                "--user-data-dir=\(store.parent.appending(path: "profile").path)",
                page.absoluteString,
            ]
            process.standardOutput = output
            process.standardError = FileHandle.nullDevice
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("<title>RESULT 8 true</title>"))
        }

        /// Chromium or what is made of it; Firefox has no way to print what a page has become.
        private static var browser: String? {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            let names = ["chromium", "chromium-browser", "google-chrome"]
            return names.flatMap { name in folders.map { "\($0)/\(name)" } }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }
    }
#endif
