import Foundation

/// The dictionary of an error. It is made once and only read, so that sharing it between threads is safe although the
/// type of its values cannot say so.
struct Info: @unchecked Sendable {
    let values: [String: Any]

    init(_ values: [String: Any]) { self.values = values }

    /// The dictionary with a text for people, when it has none of its own.
    func described(_ text: String) -> [String: Any] {
        values.merging([NSLocalizedDescriptionKey: text]) { own, _ in own }
    }
}
