public import Foundation

/// The name of a group of apps that share one container.
///
///     enum Team: AppGroup {
///         static let groupIdentifier = "group.com.example.team"
///     }
public protocol AppGroup {
    /// The identifier in the app's entitlements.
    static var groupIdentifier: String { get }
}

/// The folders that the apps of the group `Group` share.
///
///     let shared = try AppGroupContainer<Team>.Library.Application_Support
///
/// Every property throws ``AppFolderError`` with the code `noGroup` if the app has no entitlement
/// for the group or cannot use its folder, and always on Linux, which has no app groups.
public enum AppGroupContainer<Group: AppGroup> {
    /// The container's own folder.
    public static var baseURL: URL {
        get throws { try root.baseURL }
    }

    /// Documents that the apps of the group share.
    public static var Documents: Documents {
        get throws { try root.Documents }
    }

    /// Files of the group's apps that the user never opens.
    public static var Library: Library {
        get throws { try root.Library }
    }

    /// Files of the group's apps that only one run of an app needs.
    public static var tmp: Temporary {
        get throws { try root.tmp }
    }

    private static var root: FolderRoot {
        get throws {
            #if canImport(Darwin)
                let identifier = Group.groupIdentifier
                // On macOS this returns a URL even without the entitlement, so the folder is checked
                // (FileManager.containerURL(forSecurityApplicationGroupIdentifier:)).
                if let url = FileManager.default.containerURL(
                    forSecurityApplicationGroupIdentifier: identifier), url.isUsableFolder
                {
                    return try FolderRoot(at: url)
                }
                let reason = "the app has no entitlement for it; add one to the app"
            #else
                let reason = "this system has no app groups; use a FolderRoot instead"
            #endif
            throw AppFolderError(
                .noGroup, at: nil,
                "Cannot find the container of app group \"\(Group.groupIdentifier)\": \(reason).")
        }
    }
}

extension URL {
    /// Whether there is a folder that this process can list and write into.
    var isUsableFolder: Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: filePath)) != nil
            && FileManager.default.isWritableFile(atPath: filePath)
    }
}
