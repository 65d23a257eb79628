// VirtualPeripheral
