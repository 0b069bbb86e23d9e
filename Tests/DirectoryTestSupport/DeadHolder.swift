/// The text of a lock file whose last holder was this process, as if that process had ended.
package func namingDeadHolder(inLockFile text: String) -> String {
    let lines = text.split(separator: "\n")
    let words = lines.last?.split(separator: " ").filter { $0 != "unsynced" } ?? []
    guard lines.count == 2, let owner = words.last else { return text }
    var parts = owner.split(separator: ".")
    // Without the start of the process, which Linux knows.
    if parts.count > 2, parts[2] == "linux" { parts.removeLast() }
    parts[parts.count - 1] = "2147483647"
    return "\(lines[0])\nprocess 2147483647 (ended) \(parts.joined(separator: "."))\n"
}
