import Directory
import Foundation

// The other systems have no class `Process`.
#if os(Linux) || os(macOS)
    extension Tour {
        func otherProcesses() throws {
            step(
                "Other processes can change the same store",
                "try notes.load()        // or follow all changes: await notes.watch()")
            let notes = try store.open(.notes, of: apollo)
            let text = "From another process"
            let other = try start(["note", "Apollo 11", text])
            other.waitUntilExit()
            say("directory-demo note \"Apollo 11\" \"\(text)\"")
            say("\(notes.count.of("note")) before the load")
            try notes.load()
            try check("\(notes.count.of("note")) after it", notes.items.last?.text == text)
        }

        func kills() throws {
            step(
                "A process can be killed at any moment",
                """
                kill(process.processIdentifier, SIGKILL)
                try photos.load()
                """)
            let project = try Project(named: "Rehearsal", in: projects)
            try projects.append(project)
            let photos = try store.open(.photos, of: project)
            let arguments = ["import", project.name] + files.map { $0.path(percentEncoded: false) }
            let whole = try ContinuousClock().measure { try start(arguments).waitUntilExit() }
            try photos.load()
            let rounds = 10
            var marks = ""
            for round in 0..<rounds {
                let before = photos.count
                let process = try start(arguments)
                // The commit is near the end of the measured time, so the last of these moments are after it.
                let part = (Double(round) + 0.5) / Double(rounds)
                Thread.sleep(forTimeInterval: whole / .seconds(1) * 1.8 * part)
                kill(process.processIdentifier, SIGKILL)
                process.waitUntilExit()
                try photos.load()
                marks += photos.count > before ? "●" : "○"
            }
            let count = marks.count { $0 == "●" }
            say("\(rounds) imports, each killed a little later:  \(marks)")
            say("\(count) took place (●), \(rounds - count) did not (○).")
            try check("Each import has all of its photos or none", photos.count % files.count == 0)
            try check("verify finds no problem", store.verify().findings.isEmpty)
            try projects.remove(id: project.id)
            try projects.checkpoint()
        }

        /// Starts the demo in another process, on the same store and without output.
        private func start(_ arguments: [String]) throws -> Process {
            let process = Process()
            process.executableURL = Bundle.main.executableURL
            process.arguments = arguments + ["--store", store.folder.path(percentEncoded: false)]
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            try process.run()
            return process
        }
    }
#endif
