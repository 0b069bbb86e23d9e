import Directory

extension TreeWriter {
    private func collection(of place: Place) -> any Maintained {
        let all: [any Maintained] = [place.notes, place.photos, place.parts]
        return all.randomElement(using: &random) ?? place.notes
    }

    func checkpoint(_ place: Place) throws {
        try log.record("checkpoint \(place.name)") { try collection(of: place).checkpoint() }
    }

    func verify(_ place: Place) throws {
        let findings = try log.record("verify \(place.name)") {
            try collection(of: place).verify()
        }
        // Another process may have been killed since the collection was loaded.
        if let finding = findings.first(where: { $0.kind != .leftoverStage }) {
            throw Fault("verify found in \(place.name): \(finding)")
        }
    }

    func repair(_ place: Place) throws {
        let repairs = try log.record("repair \(place.name)") { try collection(of: place).repair() }
        guard repairs.isEmpty else { throw Fault("repair in \(place.name) did: \(repairs)") }
    }
}

/// What maintenance does with collections of every type.
private protocol Maintained {
    func checkpoint() throws
    func verify() throws -> [Finding]
    func repair() throws -> [Repair]
}

extension Directory: Maintained {}
