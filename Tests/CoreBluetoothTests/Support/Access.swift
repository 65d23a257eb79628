import Dispatch

@testable import CoreBluetooth

extension CBCentralManager {
    /// The queue on which callbacks come, for waiting behind them.
    var queueForTests: DispatchQueue { queue }
}
