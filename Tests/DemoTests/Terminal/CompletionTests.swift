import Foundation
import TestSupport
import Testing

#if os(Linux) || os(macOS)
    struct CompletionTests {
        @Test(arguments: [
            (["--store", "a b/", ""], "new\tMake a project and its folder."),
            (["list", "--j"], "--json\tPrint JSON."),
            (["--v"], "--version\tPrint the version of the demo."),
            (["config", "so"], "sort\torder, name, photos"),
        ])
        func everyShellIsToldTheSame(_ words: [String], _ first: String) throws {
            for shell in ["bash", "zsh", "fish"] {
                let outcome = try DemoProcess(["completions", shell, "--"] + words).outcome()
                #expect(outcome.status == 0 && outcome.error == "")
                #expect(outcome.output.split(separator: "\n").first.map(String.init) == first)
            }
        }

        /// The shells offer files then.
        @Test func nothingIsOfferedWhereNothingFits() throws {
            for words in [
                ["list", ""], ["nonsense", ""], ["photos", "--store", "/dev/null", ""],
                ["gallery", "--output", ""], ["import", "Apollo", "a", ""], ["verify", ""],
            ] {
                let outcome = try DemoProcess(["completions", "zsh", "--"] + words).outcome()
                #expect(outcome.status == 0 && outcome.output == "" && outcome.error == "")
            }
        }

        /// The options with which each shell only checks the syntax.
        @Test(arguments: [("bash", "-n"), ("zsh", "-n"), ("fish", "--no-execute")])
        func everyShellAcceptsItsCompletions(_ shell: String, _ option: String) throws {
            let script = try DemoProcess(["completions", shell]).outcome()
            #expect(script.status == 0)
            #expect(script.output.contains("completions \(shell) --"))
            guard let path = Self.path(of: shell) else {
                return print("everyShellAcceptsItsCompletions: there is no \(shell) here")
            }
            let folder = try TemporaryFolder()
            let file = folder.url.appending(path: "completions")
            try Data(script.output.utf8).write(to: file)
            let outcome = try Self.run(path, [option, file.path])
            #expect(outcome.status == 0)
            #expect(outcome.output == "")
        }

        @Test(
            .enabled(if: path(of: "bash") != nil),
            arguments: [
                ("li", "list"), ("remove-n", "remove-note"), ("list --js", "--json"),
                ("photos ", #"\$\(touch\ bad\) Deep\ Field"#), ("photos De", #"Deep\ Field"#),
                (#"photos Deep\ F"#, #"Deep\ Field"#), ("move Apollo x De", #"Deep\ Field"#),
                ("new De", ""), ("--store x li", "list"), ("help rena", "rename"),
                ("completions f", "fish"), ("gallery --out", "--output"),
            ])
        func bashOffersWhatFits(_ line: String, _ expected: String) throws {
            let store = try DemoStore(after: [["new", "$(touch bad)"], ["new", "Deep Field"]])
            let demo = builtProgram("directory-demo")
            let test = """
                directory-demo() { '\(demo.path)' "$@"; }
                cd '\(store.parent.path)'
                source <('\(demo.path)' completions bash)
                words=(); line='\(line)'; word=; quoted=
                for ((i = 0; i < ${#line}; i++)); do
                    c=${line:i:1}
                    if [[ $quoted ]]; then word+=$c; quoted=
                    elif [[ $c == '\\' ]]; then word+=$c; quoted=1
                    elif [[ $c == ' ' ]]; then words+=("$word"); word=
                    else word+=$c; fi
                done
                COMP_WORDS=(directory-demo --store '\(store.folder.path)' "${words[@]}" "$word")
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _directory_demo
                echo "${COMPREPLY[*]}"
                """
            let outcome = try Self.run(try #require(Self.path(of: "bash")), ["-c", test])
            #expect(outcome.output == expected + "\n")
            #expect(
                try !FileManager.default.contentsOfDirectory(atPath: store.parent.path).contains(
                    "bad"))
        }

        private static func path(of shell: String) -> String? {
            let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            return folders.map { "\($0)/\(shell)" }
                .first { FileManager.default.isExecutableFile(atPath: $0) }
        }

        private static func run(_ path: String, _ arguments: [String]) throws -> (
            status: Int32, output: String
        ) {
            let process = Process()
            let output = Pipe()
            process.executableURL = URL(filePath: path)
            process.arguments = arguments
            (process.standardOutput, process.standardError) = (output, output)
            try process.run()
            let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            return (process.terminationStatus, String(decoding: bytes, as: UTF8.self))
        }
    }
#endif
