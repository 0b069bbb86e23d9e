import Directory

extension Model {
    /// Takes the disk of a device to another machine, unless one of its indexes is damaged: it would not sync there.
    mutating func move(_ index: Int) throws {
        let device = devices[index]
        if try isDamaged(device) { return }
        try sync(index, canCrash: false)
        try recover(device)
        moved.insert(device.name)
        newest[device.name] = nil
        let machine = ["aaaaaaaa", "bbbbbbbb"].randomElement(using: &random)
        try restart(device, on: machine)
    }

    /// Ends what processes have begun, also those that were killed: another machine would leave it alone.
    private func recover(_ device: TestDevice) throws {
        func recover<Item>(_ collection: Directory<Item>) throws {
            try collection.write { _ in }
            try collection.close()
        }
        for shelf in try device.shelves {
            try recover(device.photos(shelf))
            try recover(device.notes(shelf))
        }
        for project in device.projects.items {
            try recover(device.albums(project.id))
            try recover(device.tags(project.id))
        }
        try recover(device.projects)
    }
}
