/// The one of `candidates` that is nearest to a misspelt word; `nil` when none is near.
///
/// Near is an edit distance (insertions, deletions, replacements, exchanges of neighbours) of at most a third of the
/// word, and at least one; a candidate that the word begins is near as well.
public func nearest(to word: String, among candidates: [String]) -> String? {
    let word = Array(word.lowercased())
    var best: (candidate: String, distance: Int)?
    for candidate in candidates {
        let lower = Array(candidate.lowercased())
        let limit = max(1, max(word.count, lower.count) / 3)
        let isBeginning = word.count >= 2 && lower.starts(with: word)
        // The distance is at least the difference of the lengths.
        guard isBeginning || abs(word.count - lower.count) <= limit else { continue }
        var distance = editDistance(word, lower)
        if isBeginning { distance = min(distance, 1) }
        guard distance <= limit else { continue }
        if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.candidate
}

/// The optimal string alignment distance.
func editDistance(_ a: [Character], _ b: [Character]) -> Int {
    guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 1...a.count {
        var row = [i] + [Int](repeating: 0, count: b.count)
        for j in 1...b.count {
            row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
            if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
                row[j] = min(row[j], beforeLast[j - 2] + 1)
            }
        }
        (beforeLast, last) = (last, row)
    }
    return last[b.count]
}
