/// Files that only one run of the app needs.
///
/// Delete them when the app no longer needs them. The system may delete them while the app is not
/// running. They are not backed up.
public struct Temporary: WritablePlace {
    /// The location of `tmp` in its root.
    public let location: Location
}
