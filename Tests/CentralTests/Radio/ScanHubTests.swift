import Sockets
import Testing
import VirtualPeripheral

@testable import Central

/// Who listens to the radio, and that nothing of it stays.
@Suite(.timeLimit(.minutes(1))) struct ScanHubTests {
    enum End: CaseIterable { case removed, expired, closed }

    @Test("A listener with a time limit is let go of, however its scan ends", arguments: End.allCases)
    func lettingGo(end: End) async throws {
        let radio = InProcessRadio(try VirtualRadio(), on: .shared)
        let hub = ScanHub(radio: radio, loop: .shared)
        weak var gone: ScanListener?
        do {
            let queue = BoundedQueue<ScanResult>(capacity: 8, rule: .dropOldest) {
                .overflow("cannot scan", capacity: $0)
            }
            let duration = end == .expired ? Duration.milliseconds(20) : .seconds(3600)
            let listener = ScanListener(options: ScanOptions(duration: duration), queue: queue)
            gone = listener
            await hub.add(listener)
            _ = try await queue.next(isolation: nil)
            switch end {
            case .removed: await hub.remove(listener)
            case .expired: while try await queue.next(isolation: nil) != nil {}
            case .closed: await hub.close()
            }
        }
        while gone != nil { try await Task.sleep(for: .milliseconds(2)) }
        while await hub.isScanning { try await Task.sleep(for: .milliseconds(2)) }
        await hub.close()
    }
}
