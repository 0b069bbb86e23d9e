import Directory
import FileStore
import Foundation

extension Bench {
    /// The peak memory of a process that loads `n` items, against one that decodes an array.
    func memory(_ n: Int) throws -> Measurement {
        let scratch = try Scratch()
        try scratch.writeTracks(n)
        let medians = Pair(
            ours: try peak(of: "ours", scratch.url), reference: try peak(of: "array", scratch.url))
        return Measurement(medians: medians, reference: .foundation, goal: .ratio(atMost: 2))
    }

    /// The bytes that appends at `n` items write, against the bytes of the appended items.
    func written(_ n: Int) throws -> Measurement {
        let appends = isQuick ? 100 : 10_000
        let scratch = try Scratch()
        let tracks = try scratch.makeTracks(n, durability: .relaxed)
        let before = try writtenBytes()
        var bytes = 0
        for id in n..<(n + appends) {
            try tracks.append(Track(id))
            bytes += try JSONEncoder().encode(Track(id)).count
        }
        let medians = Pair(ours: try writtenBytes() - before, reference: Double(bytes))
        return Measurement(medians: medians, reference: .library, goal: .ratio(atMost: 4))
    }

    /// The peak memory, in bytes, of a process that runs ``child(_:_:)``.
    func peak(of child: String, _ folder: URL) throws -> Double {
        #if os(Linux) || os(macOS)
            let process = Process()
            process.executableURL = URL(filePath: CommandLine.arguments[0])
            process.arguments = ["--child", child, folder.path(percentEncoded: false)]
            let pipe = Pipe()
            process.standardOutput = pipe
            try process.run()
            let output = pipe.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            let text = String(decoding: output, as: UTF8.self)
            guard let bytes = Double(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
                throw POSIXError(.EIO)
            }
            return bytes
        #else
            throw POSIXError(.ENOTSUP)
        #endif
    }

    /// The work of a child process: it appends items, or it loads them and prints its peak memory in
    /// bytes.
    static func child(_ kind: String, _ folder: URL) async throws {
        switch kind {
        case "append": try append(to: folder)
        case "change": try change(in: folder)
        case "list":
            let files = try await DiskFileStore(at: folder).list(recursive: true)
            try printPeak(files.count)
        case "walk":
            var files: [(name: String, size: Int)] = []
            try SystemCalls.walk(folder) { _, name, found in
                files.append((String(cString: name), Int(found.st_size)))
            }
            try printPeak(files.count)
        case "cards", "replica":
            try printPeak(loadCards(in: folder, syncs: kind == "replica"))
        default: try loading(kind, folder)
        }
    }

    private static func loading(_ kind: String, _ folder: URL) throws {
        let index = folder.appending(path: "tracks.json")
        if kind == "ours" {
            let tracks = try Directory<Track>(at: folder, index: "tracks.json")
            try tracks.load()
            try printPeak(tracks.count)
        } else {
            // Line by line, so that the memory of the decoder is not counted as the array's.
            let decoder = JSONDecoder()
            let lines = try Data(contentsOf: index, options: .alwaysMapped)
                .split(separator: UInt8(ascii: "\n")).filter { $0.first == UInt8(ascii: "{") }
            let tracks = try lines.map { line in
                try decoder.decode(
                    Track.self, from: line.last == UInt8(ascii: ",") ? line.dropLast() : line)
            }
            try printPeak(tracks.count)
        }
    }

    private static func printPeak(_ count: Int) throws {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        let kilobytes = line?.split(separator: " ").compactMap { Double($0) }.first
        guard let kilobytes, count > 0 else { throw POSIXError(.EIO) }
        print(Int(kilobytes * 1024))
    }

    /// The bytes that this process has passed to write(2) and similar calls, as proc(5) counts them.
    private func writtenBytes() throws -> Double {
        let io = try String(contentsOfFile: "/proc/self/io", encoding: .utf8)
        let line = io.split(separator: "\n").first { $0.hasPrefix("wchar:") }
        guard let bytes = line?.split(separator: " ").last.flatMap({ Double($0) }) else {
            throw POSIXError(.EIO)
        }
        return bytes
    }
}
