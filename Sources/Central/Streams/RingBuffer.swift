/// A queue in one array that grows by doubling and never shrinks.
struct RingBuffer<Element> {
    private var places: [Element?] = []
    private var head = 0
    private(set) var count = 0

    mutating func append(_ element: Element) {
        if count == places.count { grow() }
        places[(head &+ count) & (places.count &- 1)] = element
        count &+= 1
    }

    mutating func popFirst() -> Element? {
        guard count > 0 else { return nil }
        let element = places[head].take()
        head = (head &+ 1) & (places.count &- 1)
        count &-= 1
        return element
    }

    /// A power of two, so that going round is a mask.
    private mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(8, places.count * 2))
        for offset in 0..<count { larger.append(places[(head &+ offset) & (places.count &- 1)]) }
        while larger.count < max(8, places.count * 2) { larger.append(nil) }
        places = larger
        head = 0
    }
}
