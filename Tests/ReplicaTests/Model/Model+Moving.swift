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

    /// Ends what processes have begun that were killed: another machine would leave it alone.
    private func recover(_ device: TestDevice) throws {
        try device.projects.write { _ in }
        for shelf in try device.shelves {
            if shelf.album == nil {
                try device.albums(shelf.project).write { _ in }
                try device.tags(shelf.project).write { _ in }
            }
            try device.photos(shelf).write { _ in }
            try device.notes(shelf).write { _ in }
        }
    }
}
