// BlueZSockets
