public import Wire

/// What a characteristic does by itself, while a client is connected.
public struct CharacteristicBehaviour: Hashable, Sendable {
    /// A number inside a value that changes at every step.
    public struct Movement: Hashable, Sendable {
        /// The offset of its first octet.
        public var offset: Int
        /// How many octets it has, 1 to 8, least significant first.
        public var octetCount: Int
        /// Where it starts, and starts again.
        public var first: Int64
        /// The last number it may have.
        public var last: Int64
        /// What is added at each step; negative to count down from `first` to `last`.
        public var step: Int64

        public init(offset: Int, octetCount: Int, first: Int64, last: Int64, step: Int64) {
            self.offset = offset
            self.octetCount = octetCount
            self.first = first
            self.last = last
            self.step = step
        }
    }

    /// Where a written value comes back.
    public enum Echo: Hashable, Sendable {
        /// From the characteristic that was written.
        case itself
        /// From the first characteristic of this UUID in the same service.
        case characteristic(BluetoothUUID)
    }

    /// The time between two steps. At each the value changes as the movements and values say, and goes to the clients
    /// that configured the characteristic: as a notification to those who want one, otherwise as an indication. `nil`:
    /// there are no steps.
    public var interval: Duration?
    /// Numbers inside the value that change at each step.
    public var movements: [Movement]
    /// Values it takes one after another at each step, and again from the start. Empty: it keeps the one it has.
    public var values: [[UInt8]]
    /// Where a written value comes back; `nil`: nowhere.
    public var echo: Echo?
    /// Whether the value is a pattern of exactly MTU − 1 octets on each connection, 512 at most: one octet less and a
    /// reader would know that nothing follows.
    public var fillsReadResponse: Bool

    public init(
        interval: Duration? = nil, movements: [Movement] = [], values: [[UInt8]] = [], echo: Echo? = nil,
        fillsReadResponse: Bool = false
    ) {
        self.interval = interval
        self.movements = movements
        self.values = values
        self.echo = echo
        self.fillsReadResponse = fillsReadResponse
    }

    /// The value after step number `step`, counted from 1, when it was `value` before.
    func value(after value: [UInt8], step: Int) -> [UInt8] {
        var value = values.isEmpty ? value : values[step % values.count]
        for movement in movements { movement.move(in: &value, step: step) }
        return value
    }

    /// Octets 00 01 02 … ff 00 …, in which a lost or doubled part is seen.
    static func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0) }
    }
}

extension CharacteristicBehaviour.Movement {
    /// The number at step `step`, counted from 0.
    func number(at step: Int) -> Int64 {
        // A person writes these numbers; none of them may trap.
        guard self.step != 0 else { return first }
        let span = last.subtractingReportingOverflow(first)
        guard !span.overflow, (span.partialValue < 0) == (self.step < 0) || span.partialValue == 0 else { return first }
        let count = span.partialValue / self.step + 1
        return first &+ self.step &* (Int64(step) % count)
    }

    /// Writes the number of this step into a value, as far as it reaches.
    func move(in value: inout [UInt8], step: Int) {
        let number = UInt64(bitPattern: number(at: step))
        for octet in 0..<octetCount where value.indices.contains(offset + octet) {
            value[offset + octet] = UInt8(truncatingIfNeeded: number >> UInt64(octet * 8))
        }
    }
}
