import CTestSupport
import Foundation

/// What this process holds.
struct Resources {
    /// Octets of the heap that are allocated and not freed.
    var octets: Int
    /// Open descriptors.
    var descriptors: Int

    /// Those of this moment.
    static func now() throws -> Resources {
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        return Resources(octets: allocated_octets(), descriptors: descriptors)
    }
}
