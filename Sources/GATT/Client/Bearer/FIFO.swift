/// First in, first out, in constant time on average; once it has grown it allocates nothing more.
struct FIFO<Element: Sendable>: Sendable {
    /// The newer elements, oldest first.
    private var incoming: [Element] = []
    /// The older elements, oldest last.
    private var outgoing: [Element] = []

    var isEmpty: Bool { incoming.isEmpty && outgoing.isEmpty }

    mutating func append(_ element: Element) {
        incoming.append(element)
    }

    /// Puts an element before all others.
    mutating func prepend(_ element: Element) {
        outgoing.append(element)
    }

    mutating func popFirst() -> Element? {
        if outgoing.isEmpty {
            guard !incoming.isEmpty else { return nil }
            swap(&incoming, &outgoing)
            if outgoing.count > 1 { outgoing.reverse() }
        }
        return outgoing.popLast()
    }

    /// Takes out the oldest element that `matches`, wherever it stands.
    mutating func removeFirst(where matches: (Element) -> Bool) -> Element? {
        if let index = outgoing.lastIndex(where: matches) { return outgoing.remove(at: index) }
        if let index = incoming.firstIndex(where: matches) { return incoming.remove(at: index) }
        return nil
    }
}
