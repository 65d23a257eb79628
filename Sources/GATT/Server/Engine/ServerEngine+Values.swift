// What a server sends unasked (Core Specification, Vol 3, Part F, 3.4.7 and Part G, 4.10 to 4.12 and 7.1). A value goes to
// a client that configured the characteristic for it, cut at MTU − 3. An indication waits for its confirmation, and the
// next one for that; a client that does not confirm within 30 s loses the bearer.

extension ServerEngine {
    /// What the client configured the characteristic whose value is at `valueHandle` for.
    public func configuration(of valueHandle: AttributeHandle) -> ClientCharacteristicConfiguration {
        // The descriptor follows the value, with other descriptors at most in between.
        var index = database.firstIndex(from: valueHandle) + 1
        while index < database.attributes.count {
            let attribute = database.attributes[index]
            if case .clientConfiguration(valueHandle, _) = attribute.role {
                return ClientCharacteristicConfiguration(octets: ownValues[attribute.handle] ?? attribute.value)
            }
            if attribute.type == .characteristic { break }
            index += 1
        }
        return []
    }

    /// Gives an attribute a value, as the application does; nothing is sent.
    /// - Returns: Whether there is such an attribute.
    @discardableResult
    public mutating func setValue(_ value: [UInt8], at handle: AttributeHandle) -> Bool {
        database.setValue(value, at: handle)
    }

    /// Notifies the client of a value, when it asked for notifications.
    /// - Returns: Whether it did, and the notification is among the actions.
    @discardableResult
    public mutating func notify(_ handle: AttributeHandle, value: [UInt8]) -> Bool {
        guard !isClosed, isChangeAware, configuration(of: handle).contains(.notify) else { return false }
        perform(
            .send(
                encoded(mtu) { output throws(EncodeError) in
                    let part = value.octets.extracting(first: mtu - 3)
                    try HandleValueNotification(handle: handle, value: part).encode(into: &output)
                }))
        return true
    }

    /// Notifies the client of several values at once, those it asked for: in Multiple Handle Value Notifications when it
    /// said that it knows them (Client Supported Features, bit 2; Part G, 4.10.2), otherwise one by one.
    /// - Returns: How many values are among the actions.
    @discardableResult
    public mutating func notify(_ values: [(handle: AttributeHandle, value: [UInt8])]) -> Int {
        guard !isClosed, isChangeAware else { return 0 }
        let wanted = values.filter { configuration(of: $0.handle).contains(.notify) }
        guard wanted.count > 1, clientFeatures.contains(.multipleNotifications) else {
            for (handle, value) in wanted { notify(handle, value: value) }
            return wanted.count
        }
        var rest = wanted[...]
        while let next = rest.first {
            // As many as fit; one that does not fit with another goes alone, by the kind that has no length field.
            var length = 1
            let group = rest.prefix { entry in
                length += 4 + entry.value.count
                return length <= mtu
            }
            guard group.count > 1 else {
                notify(next.handle, value: next.value)
                rest = rest.dropFirst()
                continue
            }
            let pdu = encoded(mtu) { output throws(EncodeError) in
                try MultipleHandleValueNotification.begin(into: &output)
                for (handle, value) in group {
                    try MultipleHandleValueNotification.append(handle: handle, value: value.octets, into: &output)
                }
            }
            perform(.send(pdu))
            rest = rest.dropFirst(group.count)
        }
        return wanted.count
    }

    /// Indicates a value to the client, when it asked for indications: at once, or when those before it are confirmed.
    /// - Returns: Whether it did, and there was room to wait.
    @discardableResult
    public mutating func indicate(_ handle: AttributeHandle, value: [UInt8], at now: MonotonicTime) -> Bool {
        guard !isClosed, configuration(of: handle).contains(.indicate),
            isChangeAware || handle == database.handle(of: .serviceChanged)
        else { return false }
        guard outstandingIndication != nil else {
            send(indication: handle, value, at: now)
            return true
        }
        guard queuedIndications.count < configuration.maximumQueuedIndications else { return false }
        queuedIndications.append((handle, value))
        return true
    }

    /// Gives the server other attributes and tells the client which handles are concerned (Service Changed, Part G, 7.1).
    /// What the client configured stays where the attribute is still a configuration. A client that asked for robust
    /// caching is kept from using its handles until it knows.
    /// - Returns: Whether the client gets to know: the new database has the characteristic and the client asked for it.
    @discardableResult
    public mutating func replace(
        _ database: AttributeDatabase, changed range: HandleRange, at now: MonotonicTime
    ) -> Bool {
        self.database = database
        ownValues = ownValues.filter { handle, _ in
            switch database[handle]?.role {
            case .clientConfiguration, .clientFeatures: true
            case .service, .plain, .value, nil: false
            }
        }
        noteChange()
        guard let handle = database.handle(of: .serviceChanged) else { return false }
        let value = [UInt8](capacity: 4) { output in
            output.append(littleEndian: range.first.rawValue)
            output.append(littleEndian: range.last.rawValue)
        }
        return indicate(handle, value: value, at: now)
    }

    /// The client confirmed the outstanding indication: the next one goes out.
    mutating func confirm(at now: MonotonicTime) {
        guard let (handle, _) = outstandingIndication else { return close(.unexpectedConfirmation) }
        outstandingIndication = nil
        noteConfirmation(handle)
        perform(.confirmed(handle))
        while outstandingIndication == nil, !queuedIndications.isEmpty {
            let (handle, value) = queuedIndications.removeFirst()
            // The client may have changed its mind while the value waited.
            guard configuration(of: handle).contains(.indicate) else { continue }
            send(indication: handle, value, at: now)
        }
    }

    private mutating func send(indication handle: AttributeHandle, _ value: [UInt8], at now: MonotonicTime) {
        outstandingIndication = (handle, now + configuration.confirmationTimeout)
        perform(
            .send(
                encoded(mtu) { output throws(EncodeError) in
                    let part = value.octets.extracting(first: mtu - 3)
                    try HandleValueIndication(handle: handle, value: part).encode(into: &output)
                }))
    }
}
