/// The write whose closure the current task runs.
enum WriteScope {
    /// The core that is being written; nil outside a write.
    @TaskLocal static var core: ObjectIdentifier?
}
