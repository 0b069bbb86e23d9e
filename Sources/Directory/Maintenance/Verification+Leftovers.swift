import FileSystem

extension Verification {
    /// The transfers that could not be completed, and the stages of processes that may have ended.
    func leftovers() throws -> [Result] {
        guard let staging = try folder.openFolder(IndexNames.staging),
            let names = try fileSystem.unlessMissing({ try fileSystem.list(staging) })
        else { return [] }
        return try names.filter(folder.names.isTransactionFolder)
            .sorted { $0.string < $1.string }
            .compactMap { name in
                guard let intent = try folder.intent(of: name) else {
                    return try leftoverStage(name, in: staging)
                }
                guard intent.peer != nil else { return nil }
                return result(
                    .leftoverTransaction, staging.url(of: name),
                    "a transfer cannot find the other collection",
                    .entry(name, in: IndexNames.staging))
            }
    }

    /// A stage with files; nil if its process is known to live.
    private func leftoverStage(_ name: FileName, in staging: Handle) throws -> Result? {
        guard let stage = try folder.openFolder(name, in: IndexNames.staging) else { return nil }
        switch try folder.owner(of: stage) {
        case .thisProcess, .living: return nil
        case .dead, .unknown: break
        }
        let files = try fileSystem.list(stage).filter {
            $0 != Intent.fileName && !StageOwner.isOwner($0)
        }
        guard !files.isEmpty else { return nil }
        let sizes = try files.map { try fileSystem.status(of: $0, in: stage)?.size ?? 0 }
        return result(
            .leftoverStage, staging.url(of: name),
            "files to import, \(sizes.reduce(0, +)) bytes, of a process that may have ended",
            .undecided)
    }
}
