import Central
import Foundation
import GATT
import Sockets

extension Session {
    /// Reads the signal strength, beside the operations.
    func readRSSI(then: @escaping @Sendable (CBPeripheral, Result<Int8?, CentralError>) -> Void) {
        onLoop { session in
            session.signalReads.append { done in
                guard let connection = session.connection else { return done() }
                // Used on the loop only: the task ends there.
                nonisolated(unsafe) let done = done
                Task {
                    let result: Result<Int8?, CentralError>
                    do throws(CentralError) {
                        result = .success(try await connection.readRSSI())
                    } catch {
                        result = .failure(error)
                    }
                    session.deliver { then($0, result) }
                    session.host.loop.execute { unsafe done() }
                }
            }
        }
    }

    /// Switches notifications on or off. Asked for what is there already, the peer is not.
    func setNotifying(
        _ enabled: Bool, _ characteristic: CBCharacteristic,
        then: @escaping @Sendable (CBPeripheral, (any Error)?) -> Void
    ) {
        let handle = characteristic.valueHandle
        guard !characteristic.properties.isDisjoint(with: [.notify, .indicate]) else {
            answer { then($0, CBATTError(.requestNotSupported)) }
            return
        }
        onLoop { session in
            session.operations.append { done in
                let tell: (Result<Outcome, CentralError>?) -> Void = { result in
                    switch result {
                    case .success?: session.deliver { then($0, nil) }
                    case .failure(let error)?: session.deliver { then($0, operationError(error)) }
                    case nil: break
                    }
                    done()
                }
                guard enabled != session.notifying.contains(handle) else { return tell(.success(.done)) }
                if enabled {
                    session.subscribe(handle, characteristic.subscriptionTarget, tell) {
                        session.deliver { then($0, CBATTError(.attributeNotFound)) }
                        done()
                    }
                } else {
                    session.unsubscribe(handle, tell)
                }
            }
        }
    }

    private func subscribe(
        _ handle: AttributeHandle, _ target: SubscriptionTarget,
        _ completion: @escaping (Result<Outcome, CentralError>?) -> Void, hasNoConfiguration: @escaping () -> Void
    ) {
        // A value may come before the answer.
        enabling.insert(handle)
        start(.subscribe(target)) { [self] result in
            enabling.remove(handle)
            guard case .success(.subscribed(let agreement))? = result else { return completion(result) }
            guard agreement.configurationHandle != nil else {
                // Nothing was switched on, because there is no descriptor to do it with.
                return start(.unsubscribe(valueHandle: handle)) { _ in hasNoConfiguration() }
            }
            notifying.insert(handle)
            completion(result)
        }
    }

    private func unsubscribe(
        _ handle: AttributeHandle, _ completion: @escaping (Result<Outcome, CentralError>?) -> Void
    ) {
        start(.unsubscribe(valueHandle: handle)) { [self] result in
            switch result {
            case .success?: notifying.remove(handle)
            case .failure(let error)?:
                // The engine has given it up already, after an answer that was no success.
                guard case .notSubscribed = error.gattError else { break }
                notifying.remove(handle)
                return completion(.success(.done))
            case nil: break
            }
            completion(result)
        }
    }
}
