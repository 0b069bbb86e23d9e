/// Files that need not outlive the process.
///
/// Delete them when they are of no more use. The system may delete them while the app is not
/// running. They are not backed up.
public struct Temporary: WritablePlace {
    /// The location of `tmp` in its root.
    public let location: Location
}
