public import Foundation

/// A photograph, or any other file, that a collection of photographs owns.
///
/// The name of its file is its id, with the original extension:
///
///     let photos = try projects.child(.photos, of: project.id)
///     let photo = try photos.insert(jpegData, name: "moon.jpg")
///     print(try photos.url(of: photo.id))
public struct Photo: Asset, Hashable {
    /// Identifies the photograph.
    public let id: UUID
    /// When the imported file was last changed; for imported data, when it was staged.
    public private(set) var date: Date
    /// The name of the file before it was imported.
    public var name: String
    /// The name of the photograph's file in the assets folder.
    public private(set) var fileName: String
    /// The size of the file in bytes.
    public private(set) var byteCount: Int
    /// Whether it was read from a record of the seed library, and the data that only its file has
    /// is still missing.
    var isLegacy = false

    /// Creates the record of a photograph; its file must be imported with it, or exist in the
    /// assets folder.
    public init(id: UUID = UUID(), date: Date, name: String, fileName: String, byteCount: Int) {
        self.id = id
        self.date = date
        self.name = name
        self.fileName = fileName
        self.byteCount = byteCount
    }

    /// Creates the record of a photograph whose file is staged.
    public init(_ staged: StagedAsset) {
        let id = UUID()
        self.init(
            id: id, date: staged.date, name: staged.name, fileName: staged.fileName(for: id),
            byteCount: staged.byteCount)
    }

    /// Replaces the description of the file by that of `staged`.
    ///
    /// The id and the original name stay; the new file has another ``fileName``. Use it with
    /// ``Directory/Directory/Draft/update(_:file:)``, which gives the photograph the file.
    public mutating func replaceFile(by staged: StagedAsset) {
        fileName = staged.fileName(replacing: fileName)
        byteCount = staged.byteCount
        date = staged.date
        isLegacy = false
    }

    mutating func complete(byteCount: Int, modified: Date) {
        self.byteCount = byteCount
        if date == .distantPast { date = modified }
        isLegacy = false
    }
}

extension Photo: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, date, name, fileName, byteCount
    }

    private enum LegacyKeys: String, CodingKey {
        case identifier
    }

    /// Decodes a record, also one of the seed library.
    ///
    /// Releases 1 and 2 of that library wrote `id` and `date`, release 5 wrote `identifier`; the
    /// name of their files is the bare UUID.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        if container.contains(.fileName) {
            id = try container.decode(UUID.self, forKey: .id)
            date = try container.decode(Date.self, forKey: .date)
            name = try container.decode(String.self, forKey: .name)
            fileName = try container.decode(String.self, forKey: .fileName)
            byteCount = try container.decode(Int.self, forKey: .byteCount)
            return
        }
        let legacy = try decoder.container(keyedBy: LegacyKeys.self)
        id =
            try legacy.decodeIfPresent(UUID.self, forKey: .identifier)
            ?? container.decode(UUID.self, forKey: .id)
        date = try container.decodeIfPresent(Date.self, forKey: .date) ?? .distantPast
        name = id.uuidString
        fileName = id.uuidString
        byteCount = 0
        isLegacy = true
    }
}
