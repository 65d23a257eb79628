extension BuiltInDevice {
    /// `Fixtures/devices/thermometer.device`, which a test holds equal.
    static let thermometerFile = #"""
        # A clinical thermometer: measurements are indicated and must be confirmed, one at a time.
        device Thermometer
            address C0:DE:00:00:18:09 random
            advertise
                every 200 ms
                flags general, le-only
                services 1809, 180A
                appearance 0x0301               # ear thermometer
                name
                rssi -61

        service 1800                            # Generic Access
            characteristic 2A00
                properties read
                value text: Thermometer
            characteristic 2A01
                properties read
                value u16: 0x0301

        service 1809                            # Health Thermometer
            characteristic 2A1C                 # Temperature Measurement: flags, FLOAT in degrees Celsius, ear
                properties indicate
                value u8: 0x04, i24: 365, i8: -1, u8: 3
                every 2 s
                moves i24 at 1 from 365 to 379 by 1
            characteristic 2A1D                 # Temperature Type: ear
                properties read
                value u8: 3
            characteristic 2A1E                 # Intermediate Temperature
                properties notify
                value u8: 0x00, i24: 365, i8: -1
                every 500 ms
                moves i24 at 1 from 360 to 379 by 1
            characteristic 2A21                 # Measurement Interval in seconds
                properties read, write, indicate
                value u16: 2
                length fixed
                echo
                descriptor 2906                 # Valid Range
                    value u16: 1 60

        service 180A                            # Device Information
            characteristic 2A29
                properties read
                value text: btatt
            characteristic 2A24
                properties read
                value text: Virtual TM-1

        """#
}
