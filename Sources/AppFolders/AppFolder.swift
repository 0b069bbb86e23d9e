public import Foundation

/// The app's own folders, where the system put them.
///
/// A folder is named by walking to it; naming one creates nothing.
///
///     let images = AppFolder.Library.Caches.appending(Images.self)
///     try images.create()
///
/// Every address equals what `FileManager` says. On Linux these are the folders of the XDG Base
/// Directory Specification, which all programs of the user share: keep an own folder in them.
public enum AppFolder {
    /// The home folder: the app's container in a sandbox, else the user's home.
    public static var baseURL: URL { FolderRoot.app.baseURL }

    /// Documents that the user made and may open; see ``AppFolders/Documents``.
    public static var Documents: Documents { FolderRoot.app.Documents }

    /// Files that the user never opens; see ``AppFolders/Library``.
    public static var Library: Library { FolderRoot.app.Library }

    /// Files that need not outlive the process; see ``Temporary``.
    public static var tmp: Temporary { FolderRoot.app.tmp }
}
