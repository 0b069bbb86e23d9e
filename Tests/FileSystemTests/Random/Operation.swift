import FileSystem
import Foundation

/// One call of a file system, whose handles are numbers of slots in an ``OperationRunner``.
enum Operation {
    case makeFolder(FileName, in: Int, mode: UInt16)
    case openFolder(FileName, in: Int, to: Int)
    case openOrMakeFolder(FileName, in: Int, mode: UInt16, to: Int)
    case list(Int)
    case openFile(FileName, in: Int, for: FileAccess, to: Int)
    case read(Int, at: Int, count: Int)
    case write([UInt8], to: Int, at: Int)
    case copy(Int, to: Int, at: Int, count: Int)
    case tryLock(Int)
    case status(FileName, in: Int)
    case handleStatus(Int)
    case rename(FileName, in: Int, to: FileName, newFolder: Int, replacing: Bool)
    case link(FileName, in: Int, to: FileName, newFolder: Int)
    case removeFile(FileName, in: Int)
    case removeFolder(FileName, in: Int)
    case removeTree(FileName, in: Int)

    /// The slots for folders; the first one is the folder that holds all others.
    static let folderSlots = 0..<5
    /// The slots for files.
    static let fileSlots = 5..<10

    private static let names: [FileName] = ["a", "b", "c", "d", "e"]

    /// A random operation, with few names and slots, so that operations use the same files.
    static func random(using generator: inout SeededChoices) -> Operation {
        let (name, folder) = (generator.name(names), generator.folder())
        let modes: [UInt16] = [0o600, 0o640, 0o700, 0o755]
        let mode = modes[generator.number(below: modes.count)]
        switch generator.number(below: 32) {
        case 0...2: return .makeFolder(name, in: folder, mode: mode | 0o700)
        case 3...4: return .openFolder(name, in: folder, to: generator.freeFolder())
        case 5:
            return .openOrMakeFolder(
                name, in: folder, mode: mode | 0o700, to: generator.freeFolder())
        case 6: return .list(folder)
        case 7...11:
            let kinds: [FileAccess] = [
                .read, .update, .create(mode: mode), .openOrCreate(mode: mode),
            ]
            let access = kinds[generator.number(below: kinds.count)]
            return .openFile(name, in: folder, for: access, to: generator.number(in: fileSlots))
        case 12...13:
            return .read(generator.file(), at: generator.offset(), count: generator.offset())
        case 14...16:
            let byte = UInt8(generator.number(below: 128))
            let bytes = [UInt8](repeating: byte, count: generator.offset())
            return .write(bytes, to: generator.file(), at: generator.offset())
        case 17...18:
            return .copy(
                generator.file(), to: generator.file(), at: generator.offset(),
                count: generator.offset())
        case 19...20: return .tryLock(generator.file())
        case 21: return .status(name, in: folder)
        case 22: return .handleStatus(generator.number(in: 0..<fileSlots.upperBound))
        case 23...26:
            return .rename(
                name, in: folder, to: generator.name(names), newFolder: generator.folder(),
                replacing: generator.number(below: 3) > 0)
        case 27...28:
            return .link(name, in: folder, to: generator.name(names), newFolder: generator.folder())
        case 29: return .removeFile(name, in: folder)
        case 30: return .removeFolder(name, in: folder)
        default:
            guard generator.number(below: 4) == 0 else { return .removeFile(name, in: folder) }
            return .removeTree(name, in: folder)
        }
    }
}
