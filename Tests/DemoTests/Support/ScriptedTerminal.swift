import Foundation
import Synchronization
import Testing

#if os(Linux) || os(macOS)
    /// A terminal that answers what it is asked as a script says.
    struct ScriptedTerminal {
        let name: String
        /// What it answers to the question after which the pair stands; in the order of questions.
        let answers: [(question: String, answer: String)]

        static let kittyQuestion = "\u{1B}_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\"
        static let versionQuestion = "\u{1B}[>q"
        static let attributesQuestion = "\u{1B}[c"

        /// What `demo` shows on this terminal, and its settings afterwards are those before.
        func output(of start: (FileHandle) throws -> DemoProcess) throws -> String {
            let terminal = try PseudoTerminal()
            var before = termios()
            try #require(tcgetattr(terminal.slave.fileDescriptor, &before) == 0)
            let settings = try FileHandle(
                fileDescriptor: #require(
                    Optional(dup(terminal.slave.fileDescriptor)).flatMap { $0 >= 0 ? $0 : nil }),
                closeOnDealloc: true)
            let demo = try start(terminal.slave)
            try terminal.slave.close()
            let output = try read(terminal.master, while: demo)
            demo.process.waitUntilExit()
            var after = termios()
            try #require(tcgetattr(settings.fileDescriptor, &after) == 0)
            #expect(after.c_lflag == before.c_lflag)
            // Nothing that was answered is left for the shell.
            var waiting = pollfd(fd: settings.fileDescriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&waiting, 1, 0) == 0 || waiting.revents & Int16(POLLIN) == 0)
            #expect(demo.process.terminationStatus == 0)
            return output
        }

        /// Reads until the demo has ended, and answers questions as they come.
        private func read(_ master: FileHandle, while demo: DemoProcess) throws -> String {
            var (bytes, open) = ([UInt8](), answers)
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            while true {
                var input = pollfd(fd: master.fileDescriptor, events: Int16(POLLIN), revents: 0)
                if poll(&input, 1, 10) == 0 {
                    if demo.process.isRunning { continue }
                    break
                }
                let count = Foundation.read(master.fileDescriptor, &buffer, buffer.count)
                guard count > 0 else { break }
                bytes += buffer.prefix(count)
                while let next = open.first, bytes.count < 4096,
                    String(decoding: bytes, as: UTF8.self).contains(next.question)
                {
                    try master.write(contentsOf: Data(next.answer.utf8))
                    open.removeFirst()
                }
            }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
#endif
