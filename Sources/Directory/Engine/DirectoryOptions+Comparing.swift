import Foundation

extension DirectoryOptions {
    /// The options for collections inside the containers.
    var forChildren: Self {
        var options = self
        // A folder that backups leave out is left out with everything in it.
        options.isExcludedFromBackup = false
        return options
    }

    /// Whether two values of one index can have these and `other` options.
    ///
    /// Each value has its own durability. Inside a container, `isExcludedFromBackup` may differ:
    /// only the folder of the container's collection uses it.
    func agree(with other: Self, inContainer: Bool) -> Bool {
        damagedItems == other.damagedItems && dates == other.dates
            && filePermissions == other.filePermissions
            && folderPermissions == other.folderPermissions
            && dataProtection == other.dataProtection && lockTimeout == other.lockTimeout
            && undoLimit == other.undoLimit && keepsRemoved == other.keepsRemoved
            && (inContainer || isExcludedFromBackup == other.isExcludedFromBackup)
            && editPause == other.editPause && journalThreshold == other.journalThreshold
            && journalReserve == other.journalReserve && journalGrowth == other.journalGrowth
            && journalTime == other.journalTime
            && machine == other.machine
            && areEqual(encoder, other.encoder, CoderSettings.init)
            && areEqual(decoder, other.decoder, CoderSettings.init)
    }

    private func areEqual<Coder: AnyObject>(
        _ left: Coder?, _ right: Coder?, _ settings: (Coder) -> CoderSettings
    ) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left === right || settings(left).areEqual(to: settings(right))
    }
}
