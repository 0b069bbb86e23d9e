public import Foundation

extension Replica {
    /// A device that has the store, as far as this one knows.
    public struct Device: Hashable, Sendable, Identifiable {
        /// Identifies one store on one device.
        public struct ID: Hashable, Sendable, CustomStringConvertible {
            let device: DeviceID

            init(_ device: DeviceID) { self.device = device }

            /// 32 hexadecimal digits.
            public var description: String { device.description }
        }

        /// Identifies the device.
        public let id: ID
        /// The name in the options of the device; nil if it has none.
        public let name: String?
        /// When it last published something, by its own clock.
        public let lastSeen: Date
        /// Whether it is this device.
        public let isThis: Bool
        /// Whether its clock is more than a day ahead of the one here.
        public let isClockAhead: Bool

        static func all(in state: MergeState, this device: DeviceID, now: Int) -> [Device] {
            state.knownDevices.compactMap { id in
                state.devices[id].map { note in
                    Device(
                        id: ID(id), name: note.name,
                        lastSeen: Date(timeIntervalSince1970: Double(note.time) / 1000),
                        isThis: id == device, isClockAhead: note.time > now + 86_400_000)
                }
            }.sorted { $0.id.device < $1.id.device }
        }
    }

    /// The devices that have the store, observed.
    public var devices: [Device] { observed(\.devices) { $0.devices } }

    /// Says that a device was lost, so that the others wait for it no longer.
    ///
    /// If the device comes back, it joins as a new device: it publishes the changes that it made since, and gets
    /// everything else from the others.
    ///
    /// - Throws: ``ReplicaError`` with `notFound` if there is no such other device, and the [codes of every
    ///   sync](doc:SeveralDevices#Codes-of-every-sync).
    public func remove(_ device: Device.ID) throws {
        let news = try sessions.use(root.url) { session in
            try session.remove(device.device)
            return session.news
        }
        show(news)
    }

    /// Ends the replica: the collections stay as they are, and the other devices wait for this one no longer.
    ///
    /// Nor do they wait for the devices that the store was on other machines.
    ///
    /// The files of this device stay in the shared folder, because the others may not have read them. If the shared folder is
    /// missing, or is that of another network, the others are not told: call ``remove(_:)`` on one of them.
    ///
    /// - Throws: ``ReplicaError`` with the [codes of every sync](doc:SeveralDevices#Codes-of-every-sync).
    public func leave() throws { try sessions.use(root.url) { try $0.leave() } }
}
