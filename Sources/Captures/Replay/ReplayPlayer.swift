// Playing one side of a transcript against whoever is on the other side. The player does no I/O: PDUs of the other side go
// in, what is to be sent comes out, and the first difference is kept.
//
//   exact      every PDU of the other side must be the next one of the transcript, octet for octet
//   tolerant   as the server: a request is answered by what answered it in the transcript, in whatever order requests
//              come, however often; notifications and indications come when the write that they followed has been made.
//              As the client: answers must be the same, and what the server sends unasked may be anything at any time.

import ATT

/// How closely the other side has to keep to a transcript.
public enum ReplayOrder: String, Hashable, Sendable, CaseIterable {
    /// PDU by PDU.
    case exact
    /// Requests in any order and number; see the top of the file.
    case tolerant
}

/// Which side of a transcript is played.
public enum ReplaySide: String, Hashable, Sendable, CaseIterable {
    /// The peripheral's: what `<` says is sent.
    case server
    /// The central's: what `>` says is sent.
    case client

    var sends: Transcript.Direction { self == .server ? .fromServer : .fromClient }
}

/// What a player wants done.
public enum ReplayAction: Hashable, Sendable {
    /// To send a PDU; in the transcript it came so many microseconds after the PDU before it.
    case send([UInt8], microseconds: Int64)
    /// To close the bearer, as the transcript's link went down.
    case close
}

/// Plays one side of a transcript.
public struct ReplayPlayer: Sendable {
    private enum Mode: Sendable {
        case exact(ExactReplay)
        case server(TolerantServerReplay)
        case client(TolerantClientReplay)
    }

    /// What is played.
    public let script: ReplayScript
    private var mode: Mode
    private var actions: [ReplayAction] = []
    /// The first thing that was different from the transcript.
    public private(set) var difference: ReplayDifference?

    /// A player at the beginning; it acts at once, so take its actions.
    public init(_ transcript: Transcript, as side: ReplaySide, order: ReplayOrder = .exact) {
        script = ReplayScript(transcript, side)
        switch (order, side) {
        case (.exact, _): mode = .exact(ExactReplay())
        case (.tolerant, .server): mode = .server(TolerantServerReplay(script))
        case (.tolerant, .client): mode = .client(TolerantClientReplay(script))
        }
        let script = script
        go {
            $0.start(script, &$1)
        } server: {
            $0.start(script, &$1)
        } client: {
            $0.start(script, &$1)
        }
    }

    /// The next thing to do; take all of them after each input.
    public mutating func nextAction() -> ReplayAction? { actions.isEmpty ? nil : actions.removeFirst() }

    /// Whether everything that has to happen has happened. In the tolerant order a server has nothing that has to.
    public var isComplete: Bool {
        guard difference == nil, actions.isEmpty else { return false }
        return switch mode {
        case .exact(let replay): replay.isComplete(script)
        case .server: true
        case .client(let replay): replay.isComplete(script)
        }
    }

    /// Whether it answers for as long as the client stays: the tolerant order, as the server.
    public var isServerForEver: Bool {
        if case .server = mode { true } else { false }
    }

    /// PDUs of the transcript that did not occur.
    public var remaining: [Transcript.PDU] {
        switch mode {
        case .exact(let replay): Array(script.pdus[replay.position...])
        case .server(let replay): replay.remaining(script)
        case .client(let replay): Array(script.pdus[replay.position...])
        }
    }

    /// Takes a PDU of the other side.
    public mutating func receive(_ pdu: RawSpan) {
        guard difference == nil else { return }
        let octets = [UInt8](octets: pdu)
        let script = script
        go { (replay, actions) throws(ReplayDifference) in
            try replay.receive(octets, script, &actions)
        } server: { (replay, actions) throws(ReplayDifference) in
            try replay.receive(octets, script, &actions)
        } client: { (replay, actions) throws(ReplayDifference) in
            try replay.receive(octets, script, &actions)
        }
    }

    /// The other side closed the bearer.
    public mutating func peerClosed() {
        guard difference == nil else { return }
        switch mode {
        case .exact(let replay): difference = replay.differenceAtEnd(script)
        case .server: break
        case .client(let replay): difference = replay.differenceAtEnd(script)
        }
    }

    private typealias Step<Replay> = (inout Replay, inout [ReplayAction]) throws(ReplayDifference) -> Void

    private mutating func go(
        _ exact: Step<ExactReplay>, server: Step<TolerantServerReplay>, client: Step<TolerantClientReplay>
    ) {
        do throws(ReplayDifference) {
            switch mode {
            case .exact(var replay):
                defer { mode = .exact(replay) }
                try exact(&replay, &actions)
            case .server(var replay):
                defer { mode = .server(replay) }
                try server(&replay, &actions)
            case .client(var replay):
                defer { mode = .client(replay) }
                try client(&replay, &actions)
            }
        } catch {
            difference = error
        }
    }
}

/// A transcript as one side plays it.
public struct ReplayScript: Sendable {
    /// The PDUs, in order.
    public let pdus: [Transcript.PDU]
    /// Which side is played.
    public let side: ReplaySide
    /// `ATT_MTU` at the beginning.
    let mtu: Int
    /// Whether this side ends the connection after the last PDU: the transcript says that it ended, and not by the other.
    let closesAtEnd: Bool
    /// Whether it ended by accident, not because a side wanted it to.
    let isLost: Bool

    init(_ transcript: Transcript, _ side: ReplaySide) {
        pdus = transcript.pdus
        self.side = side
        mtu = transcript.mtu
        var reason: Substring?
        for case .directive(Transcript.closed, let value) in transcript.lines { reason = value.prefix { $0 != " " } }
        // 0x16: the host whose capture it is ended it, which is the central in a transcript.
        let byClient = reason == "0x16"
        closesAtEnd = reason != nil && (side == .server) != byClient
        isLost = reason != nil && !byClient && reason != "0x13"
    }

    /// How long after the PDU before it a PDU came, in microseconds; 0 where that is not known.
    func delay(_ index: Int) -> Int64 {
        guard index > 0, let time = pdus[index].microseconds, let before = pdus[index - 1].microseconds else {
            return 0
        }
        return max(0, time - before)
    }

    func send(_ index: Int) -> ReplayAction { .send(pdus[index].octets, microseconds: delay(index)) }

    func opcode(_ index: Int) -> Opcode { Opcode(pdus[index].octets.first ?? 0) }
}
