public import Foundation

/// The folders that the system gives to the app.
///
/// The names of the properties are the path of the folder. Naming a folder does not create it.
///
///     let images = AppFolder.Library.Caches.appending(Images.self)
///     try images.create()
///
/// On Apple platforms, every URL is that of `FileManager`. On Linux these are the folders of the XDG
/// Base Directory Specification, which all programs of the user share, so use your own folder inside
/// them.
public enum AppFolder {
    /// The home folder: the app's container in a sandbox, else the user's home.
    ///
    /// On Linux it is `$HOME`, or the home folder in the user database if that is not set.
    public static var baseURL: URL { FolderRoot.app.baseURL }

    /// Files that the user made; see ``AppFolders/Documents``.
    public static var Documents: Documents { FolderRoot.app.Documents }

    /// Files that the user never opens; see ``AppFolders/Library``.
    public static var Library: Library { FolderRoot.app.Library }

    /// Files that only this run of the app needs; see ``Temporary``.
    public static var tmp: Temporary { FolderRoot.app.tmp }
}
