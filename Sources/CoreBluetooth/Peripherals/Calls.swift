import Foundation
import GATT
import Sockets

// Asynchronous calls wait beside the delegate for the same events. Each waits under a number, and ends exactly once: with its
// answer, with the end of the connection, or with the cancellation of its task.

/// One asynchronous call that waits.
struct Call: Sendable {
    /// What it waits for, where it is not the one operation that it began.
    enum Kind: Sendable {
        case operation
        case connection
        case disconnection
        case readiness
    }

    /// What it gets.
    enum Reply: Sendable {
        case done
        case data(Data)
        case number(Int)
        case services([CBService])
        case characteristics([CBCharacteristic])
        case descriptors([CBDescriptor])
    }

    var kind: Kind
    var finish: @Sendable (Result<Reply, any Error>) -> Void
}

/// Who takes the values of a characteristic as a sequence.
struct ValueFollower: Sendable {
    var handle: AttributeHandle
    var take: @Sendable (Data) -> Void
    var finish: @Sendable ((any Error)?) -> Void
}

extension CBPeripheral {
    /// Ends a call.
    func finish(_ call: UInt64?, _ result: Result<Call.Reply, any Error>) {
        guard let call else { return }
        guarded.withLock { $0.calls.removeValue(forKey: call) }?.finish(result)
    }

    /// Ends a call that cannot even begin; without a call nobody is told.
    func refuse(_ call: UInt64?, _ code: CBError.Code) {
        finish(call, .failure(CBError(code)))
    }

    /// Ends all calls that wait for one thing.
    func finishCalls(of kind: Call.Kind, _ result: Result<Call.Reply, any Error>) {
        let calls = guarded.withLock { state in
            let calls = state.calls.filter { $0.value.kind == kind }
            for number in calls.keys { state.calls[number] = nil }
            return calls
        }
        for (_, call) in calls.sorted(by: { $0.key < $1.key }) { call.finish(result) }
    }

    /// Ends all calls because the connection has.
    func failCalls(_ error: CBError, sparing: Call.Kind?) {
        let calls = guarded.withLock { state in
            let calls = state.calls.filter { $0.value.kind != sparing }
            for number in calls.keys { state.calls[number] = nil }
            return calls
        }
        for (_, call) in calls.sorted(by: { $0.key < $1.key }) {
            call.finish(call.kind == .disconnection ? .success(.done) : .failure(error))
        }
    }
}
