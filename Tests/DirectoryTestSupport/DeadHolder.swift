/// The text of a lock file whose last holder was this process, as if that process had ended.
package func namingDeadHolder(inLockFile text: String) -> String {
    let lines = text.split(separator: "\n")
    guard lines.count == 2, let owner = lines[1].split(separator: " ").last else { return text }
    var words = owner.split(separator: ".")
    // Without the start of the process, which Linux knows.
    if words.count > 2, words[2] == "linux" { words.removeLast() }
    words[words.count - 1] = "2147483647"
    return "\(lines[0])\nprocess 2147483647 (ended) \(words.joined(separator: "."))\n"
}
