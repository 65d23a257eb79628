/// Puts the frames of one connection together from its ACL packets (Core Specification, Vol 3, Part A, 7.2).
///
/// Fragments in, whole frames out, without I/O. A frame that comes in one fragment is passed on without a copy. Memory is
/// bounded by `maximumFrameLength`, and grows with what came, not with what a header promised.
public struct FrameReassembler: Sendable {
    /// Where a fragment stands (the Packet_Boundary_Flag of its ACL packet).
    @frozen
    public enum Position: Sendable {
        /// A frame begins here.
        case first
        /// The frame of the fragments before goes on.
        case continuing
    }

    /// What was thrown away.
    @frozen
    public struct Discarded: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        @inlinable
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// A frame whose end never came: another one began.
        @inlinable public static var incomplete: Self { Self(rawValue: 0x01) }
        /// A frame with more octets than its header declares.
        @inlinable public static var overlong: Self { Self(rawValue: 0x02) }
        /// A continuing fragment of no frame.
        @inlinable public static var orphan: Self { Self(rawValue: 0x04) }
        /// A frame longer than `maximumFrameLength`.
        @inlinable public static var tooLong: Self { Self(rawValue: 0x08) }
        /// A frame on the null channel: no L2CAP at all, such as a controller's debug log.
        @inlinable public static var nullChannel: Self { Self(rawValue: 0x10) }
    }

    private enum State {
        /// Between frames.
        case idle
        /// `octets` holds the beginning of a frame.
        case collecting
        /// The rest of a frame that was thrown away is skipped.
        case skipping
    }

    /// The longest frame that is put together, header included.
    public let maximumFrameLength: Int
    /// How many frames and orphans were thrown away.
    public private(set) var discardedCount = 0

    private var state = State.idle
    private var octets: [UInt8] = []

    /// A reassembler between frames.
    /// - Parameter maximumFrameLength: the longest frame, header included; the default is the longest there is.
    public init(maximumFrameLength: Int = 65_539) {
        self.maximumFrameLength = max(maximumFrameLength, BasicFrame.headerByteCount)
    }

    /// Whether a frame has begun whose end has not come.
    public var isCollecting: Bool {
        if case .collecting = state { true } else { false }
    }

    /// Forgets what was begun.
    public mutating func reset() {
        state = .idle
        octets.removeAll(keepingCapacity: true)
    }

    /// Takes a fragment.
    /// - Parameters:
    ///   - fragment: the data of one ACL packet.
    ///   - position: where it stands.
    ///   - deliver: called once when the fragment completes a frame.
    /// - Returns: what was thrown away; empty when all is well.
    @discardableResult
    public mutating func receive(
        _ fragment: RawSpan, _ position: Position, deliver: (borrowing BasicFrame) -> Void
    ) -> Discarded {
        switch position {
        case .first:
            var discarded: Discarded = []
            if case .collecting = state {
                discarded = discard(.incomplete)
            }
            reset()
            switch Self.status(of: fragment, maximum: maximumFrameLength) {
            case .partial:
                state = .collecting
                unsafe fragment.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
            case .whole: deliverWhole(fragment, deliver: deliver)
            case .broken(let reason): discarded.formUnion(discard(reason))
            }
            return discarded
        case .continuing: return goOn(fragment, deliver: deliver)
        }
    }

    private mutating func goOn(_ fragment: RawSpan, deliver: (borrowing BasicFrame) -> Void) -> Discarded {
        switch state {
        case .idle: return discard(.orphan, then: .idle)
        case .skipping: return []
        case .collecting: break
        }
        // What is collected is partial, thus below the maximum, and a fragment adds at most 65,535 octets; a frame that
        // turns out broken is let go at once.
        unsafe fragment.withUnsafeBytes { unsafe octets.append(contentsOf: $0) }
        switch Self.status(of: octets.octets, maximum: maximumFrameLength) {
        case .partial: return []
        case .whole:
            deliverWhole(octets.octets, deliver: deliver)
            reset()
            return []
        case .broken(let reason): return discard(reason)
        }
    }

    private func deliverWhole(_ frame: RawSpan, deliver: (borrowing BasicFrame) -> Void) {
        // It is whole: this cannot fail.
        guard let frame = try? BasicFrame(parsing: frame) else { return }
        deliver(frame)
    }

    /// Throws the frame away; what still comes of it is skipped.
    private mutating func discard(_ reason: Discarded, then next: State = .skipping) -> Discarded {
        octets = []
        state = next
        discardedCount &+= 1
        return reason
    }

    private enum Status {
        case partial
        case whole
        case broken(Discarded)
    }

    /// How the octets of a frame that began are to be taken.
    private static func status(of octets: RawSpan, maximum: Int) -> Status {
        var reader = OctetReader(octets)
        guard let length = try? reader.uint16(), let channel = try? reader.uint16() else { return .partial }
        if channel == ChannelIdentifier.null.rawValue { return .broken(.nullChannel) }
        let declared = BasicFrame.headerByteCount &+ Int(length)
        if declared > maximum { return .broken(.tooLong) }
        if octets.byteCount > declared { return .broken(.overlong) }
        return octets.byteCount == declared ? .whole : .partial
    }
}
