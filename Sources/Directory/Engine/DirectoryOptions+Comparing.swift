import Foundation

extension DirectoryOptions {
    /// The same for the collections inside containers.
    var forChildren: Self {
        var options = self
        // A folder that backups leave out is left out with everything in it.
        options.isExcludedFromBackup = false
        return options
    }

    /// Whether two values of one index can have these and `other` options.
    ///
    /// Each value has its own durability. Of a container's child, only the folder of the container's
    /// collection says whether backups leave it out.
    func agree(with other: Self, inContainer: Bool) -> Bool {
        damagedItems == other.damagedItems && dates == other.dates
            && filePermissions == other.filePermissions
            && folderPermissions == other.folderPermissions
            && dataProtection == other.dataProtection && lockTimeout == other.lockTimeout
            && undoLimit == other.undoLimit && keepsRemoved == other.keepsRemoved
            && (inContainer || isExcludedFromBackup == other.isExcludedFromBackup)
            && editPause == other.editPause && journalThreshold == other.journalThreshold
            && journalReserve == other.journalReserve && journalGrowth == other.journalGrowth
            && areEqual(encoder, other.encoder, \.summary)
            && areEqual(decoder, other.decoder, \.summary)
    }

    private func areEqual<Coder: AnyObject>(
        _ left: Coder?, _ right: Coder?, _ summary: (Coder) -> String
    ) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left === right || summary(left) == summary(right)
    }
}

extension JSONEncoder {
    /// What decides how items are encoded; functions of custom strategies cannot be told apart.
    fileprivate var summary: String {
        """
        \(type(of: self)) \(dateEncodingStrategy) \(dataEncodingStrategy) \(keyEncodingStrategy) \
        \(nonConformingFloatEncodingStrategy) \(outputFormatting.rawValue)
        """
    }
}

extension JSONDecoder {
    /// What decides how items are decoded; functions of custom strategies cannot be told apart.
    fileprivate var summary: String {
        """
        \(type(of: self)) \(dateDecodingStrategy) \(dataDecodingStrategy) \(keyDecodingStrategy) \
        \(nonConformingFloatDecodingStrategy) \(allowsJSON5) \(assumesTopLevelDictionary)
        """
    }
}
