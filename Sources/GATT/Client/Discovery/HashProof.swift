// How a server's Database Hash saves requests. Declarations have to be read, because they hold UUIDs that nobody can
// guess; but which descriptors stand in the handles that are left is mostly the same for all characteristics of a kind,
// and almost always one of a few patterns. Whoever guesses computes the hash of the whole database with the guess in it
// (Core Specification, Vol 3, Part G, 7.3.1). When it is the hash that the server gave, everything is proven at once:
// the guess, that no service and no include is missing, and that nothing follows after the last handle that was seen.
//
// Only types that enter the hash are guessed. A descriptor of any other type would leave a handle out of the hash that
// the guess puts in, so that it cannot be overlooked; and handles that hold nothing are never guessed, since nothing
// proves them empty. What cannot be guessed is asked for.

/// Guesses what stands in unexplained handles, and proves it.
struct HashProof: Sendable {
    /// What descriptors a run of unexplained handles is likely to hold follows from this.
    struct Kind: Hashable, Sendable {
        /// How many handles there are.
        var count: Int
        /// Whether the characteristic has notifications or indications, and no configuration that is known.
        var wantsConfiguration: Bool
    }

    /// The hash that the server gave.
    let hash: DatabaseHash
    /// What was seen in ranges of a kind, the latest first.
    private var seen: [Kind: [[UInt16]]] = [:]
    /// Kinds whose ranges held what cannot be guessed.
    private var unguessable: Set<Kind> = []
    /// How many blocks may still be encrypted, whatever the server is like.
    private var budget = 1 << 14
    /// How many ranges may still be asked for only to learn what ranges of a kind hold. With a large MTU few requests
    /// explain everything, so that there is little to be saved.
    private var samples: Int
    /// Whether something was learned since the last attempt.
    private(set) var isWorthAnAttempt = true

    init(hash: DatabaseHash, mtu: Int) {
        self.hash = hash
        samples = mtu < 100 ? 6 : 1
    }

    /// Something else than descriptors was found.
    mutating func databaseChanged() { isWorthAnAttempt = true }

    /// The likely descriptors of a kind of range, most likely first.
    private func candidates(_ kind: Kind) -> [[UInt16]] {
        let usual: [[UInt16]] =
            switch (kind.count, kind.wantsConfiguration) {
            case (1, true): [[0x2902], [0x2901]]
            case (1, false): [[0x2901], [0x2904]]
            case (2, true): [[0x2902, 0x2901], [0x2901, 0x2902], [0x2902, 0x2904], [0x2904, 0x2902]]
            case (2, false): [[0x2901, 0x2904], [0x2904, 0x2901]]
            case (3, true): [[0x2902, 0x2901, 0x2904], [0x2901, 0x2904, 0x2902], [0x2901, 0x2902, 0x2904]]
            default: []
            }
        let known = seen[kind] ?? []
        return known + usual.filter { !known.contains($0) }
    }

    /// The descriptors that make the database's hash the server's hash; nil when no guess does.
    /// - Parameters:
    ///   - draft: what is known. Every handle that is unexplained in it is guessed.
    ///   - kept: services beside those of the draft, of which everything is known.
    mutating func attempt(_ draft: DatabaseDraft, beside kept: DiscoveredDatabase) -> [Descriptor]? {
        guard isWorthAnAttempt else { return nil }
        isWorthAnAttempt = false
        let ranges = draft.unexplainedKinds
        var kinds: [(kind: Kind, candidates: [[UInt16]])] = []
        for (_, kind) in ranges where !kinds.contains(where: { $0.kind == kind }) {
            let likely = unguessable.contains(kind) ? [] : candidates(kind)
            guard !likely.isEmpty else { return nil }
            kinds.append((kind, likely))
        }
        guard var attributes = draft.hashedAttributes(beside: kept) else { return nil }
        for (range, _) in ranges {
            attributes += range.handles.map { HashedAttribute(guessed: .characteristicUserDescription, at: $0) }
        }
        var positions: [AttributeHandle: Int] = [:]
        var message = HashMessage(attributes, positions: &positions)
        return Choices(counts: kinds.map(\.candidates.count)).first { choice in
            budget -= message.blockCount
            guard budget >= 0 else { return nil }
            var guess: [Descriptor] = []
            for (range, kind) in ranges {
                guard let index = kinds.firstIndex(where: { $0.kind == kind }) else { return nil }
                for (handle, type) in zip(range.handles, kinds[index].candidates[choice[index]]) {
                    if let position = positions[handle] { message.setType(type, at: position) }
                    guess.append(Descriptor(uuid: BluetoothUUID(type), handle: handle))
                }
            }
            return hash.matches(message.code) ? guess : nil
        }
    }

    /// The range whose descriptors are worth asking for: one that cannot be guessed, otherwise one of the largest kind
    /// of which nothing was seen yet. Nil when asking for one is no better than asking for all.
    mutating func question(_ draft: DatabaseDraft) -> HandleRange? {
        guard samples > 0 else { return nil }
        samples -= 1
        var sizes: [Kind: Int] = [:]
        var firsts: [Kind: HandleRange] = [:]
        for (range, kind) in draft.unexplainedKinds {
            if unguessable.contains(kind) || candidates(kind).isEmpty { return range }
            sizes[kind, default: 0] += 1
            if firsts[kind] == nil { firsts[kind] = range }
        }
        let unseen = sizes.filter { seen[$0.key] == nil }
        // Ties go to the range that comes first, so that the order of requests is always the same.
        return unseen.compactMap { kind, size in firsts[kind].map { (range: $0, size: size) } }
            .max { ($0.size, $1.range.first) < ($1.size, $0.range.first) }?.range
    }

    /// Takes what a server said of a range; what it left out up to the last handle it gave is empty.
    mutating func learn(_ found: [Descriptor], in asked: HandleRange, _ draft: DatabaseDraft) {
        let last = found.map(\.handle).max() ?? asked.last
        for (range, kind) in draft.unexplainedKinds where asked.first <= range.first && range.last <= last {
            let inside = found.filter { range.contains($0.handle) }.sorted { $0.handle < $1.handle }
            let types = inside.compactMap(\.uuid.uint16).filter { (0x2901...0x2905).contains($0) }
            guard types.count == range.count else {
                unguessable.insert(kind)
                isWorthAnAttempt = true
                continue
            }
            // What was expected is no news.
            if candidates(kind).first != types { isWorthAnAttempt = true }
            seen[kind] = [types] + (seen[kind] ?? []).filter { $0 != types }
        }
    }
}

/// Ways to choose one of several from each of several lists, the first ones of all lists first.
private struct Choices {
    private let counts: [Int]
    /// From each list on, how much the places in it and in those after it can add up to.
    private let most: [Int]

    init(counts: [Int]) {
        self.counts = counts
        var most = [0]
        for count in counts.reversed() { most.append((most.last ?? 0) + count - 1) }
        self.most = most.reversed()
    }

    /// What `body` makes of the first choice of which it makes something. The number of choices grows with the product of
    /// the lists, so that only the first few are tried.
    func first<Result>(_ body: ([Int]) -> Result?) -> Result? {
        var left = 64
        var choice = [Int](repeating: 0, count: counts.count)
        for rank in 0...most[0] {
            if let found = search(0, rank, &choice, &left, body) { return found }
        }
        return nil
    }

    /// Choices whose places, from list `index` on, add up to `rank`.
    private func search<Result>(
        _ index: Int, _ rank: Int, _ choice: inout [Int], _ left: inout Int, _ body: ([Int]) -> Result?
    ) -> Result? {
        guard left > 0, rank <= most[index] else { return nil }
        guard index < counts.count else {
            left -= 1
            return body(choice)
        }
        for place in 0..<min(counts[index], rank + 1) {
            choice[index] = place
            if let found = search(index + 1, rank - place, &choice, &left, body) { return found }
        }
        return nil
    }
}

extension HandleRange {
    /// The handles, in order.
    fileprivate var handles: some Sequence<AttributeHandle> {
        (first.rawValue...last.rawValue).lazy.map { AttributeHandle($0) }
    }
}
