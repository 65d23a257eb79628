/// The one of `candidates` that is nearest to a misspelt word; `nil` when none is near.
///
/// Near is an edit distance (insertions, deletions, replacements, exchanges of neighbours) of at most a third of the
/// word, and at least one; a candidate that the word begins is near as well. Letters are octets of UTF-8, since what
/// candidates are made of is ASCII.
public func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.utf8.map(lowercase)
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let length = candidate.utf8.count
        let limit = max(1, max(word.count, length) / 3)
        let isBeginning = word.count >= 2 && candidate.utf8.lazy.map(lowercase).starts(with: word)
        // The distance is at least the difference of the lengths.
        guard isBeginning || abs(word.count - length) <= limit else { continue }
        let most = min(limit, (best?.distance ?? .max) - 1)
        var distance = editDistance(word, candidate.utf8.map(lowercase), atMost: most)
        if isBeginning { distance = min(distance, 1) }
        if distance <= most { best = (candidate, distance) }
        if best?.distance == 0 { break }
    }
    return best?.candidate
}

private func lowercase(_ octet: UInt8) -> UInt8 { (0x41...0x5A).contains(octet) ? octet | 0x20 : octet }

/// The optimal string alignment distance; something above `limit` when it is above `limit`.
func editDistance(_ a: [UInt8], _ b: [UInt8], atMost limit: Int) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = beforeLast
    for i in 1...a.count {
        row[0] = i
        for j in 1...b.count {
            row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                row[j] = min(row[j], beforeLast[j - 2] + 1)
            }
        }
        // What follows builds on these two rows, and never becomes less than both.
        if min(row.min() ?? 0, last.min() ?? 0) > limit { return limit + 1 }
        (beforeLast, last, row) = (last, row, beforeLast)
    }
    return last[b.count]
}
