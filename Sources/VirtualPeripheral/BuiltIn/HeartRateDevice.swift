extension BuiltInDevice {
    /// `Fixtures/devices/heart-rate.device`, which a test holds equal.
    static let heartRateFile = #"""
        # A heart-rate sensor: what a chest belt has, with a pulse that climbs and starts again.
        device Heart Rate
            address C0:DE:00:00:18:0D random
            advertise
                every 100 ms
                flags general, le-only
                services 180D, 180F, 180A
                appearance 0x0341               # heart rate belt
                name
                rssi -48
                scan-response
                    tx-power 0
                    manufacturer 0xFFFF text: btatt

        service 1800                            # Generic Access
            characteristic 2A00
                properties read
                value text: Heart Rate
            characteristic 2A01
                properties read
                value u16: 0x0341

        service 1801                            # Generic Attribute
            characteristic 2A05                 # Service Changed
                properties indicate
                reading forbidden
                value u16: 0x0001 0xFFFF

        service 180D                            # Heart Rate
            characteristic 2A37                 # Heart Rate Measurement: flags, pulse, RR interval in 1/1024 s
                properties notify
                value u8: 0x16 60, u16: 1024
                every 1 s
                moves u8 at 1 from 60 to 99 by 1
                moves u16 at 2 from 1024 to 634 by -10
            characteristic 2A38                 # Body Sensor Location: chest
                properties read
                value u8: 1
            characteristic 2A39                 # Heart Rate Control Point: 1 resets the energy expended
                properties write
                length up-to 1
                accepts u8: 1
                write-error 0x80                # Control Point Not Supported

        service 180F                            # Battery
            characteristic 2A19                 # Battery Level in per cent
                properties read, notify
                value u8: 87
                every 10 s
                moves u8 at 0 from 87 to 20 by -1
                descriptor 2904                 # Characteristic Presentation Format: u8, per cent
                    value u8: 0x04 0, u16: 0x27AD, u8: 1, u16: 0

        service 180A                            # Device Information
            characteristic 2A29
                properties read
                value text: btatt
            characteristic 2A24
                properties read
                value text: Virtual HR-1
            characteristic 2A25
                properties read
                value text: 0001
            characteristic 2A26
                properties read
                value text: 1.0
            characteristic 2A23                 # System ID
                properties read
                value hex: 01 00 00 fe ff de c0 00

        """#
}
