extension BuiltInDevice {
    /// `Fixtures/devices/torture.device`, which a test holds equal.
    static let tortureFile = #"""
        # Everything the specification allows and clients stumble over, in one device.
        device Torture
            address C0:DE:00:00:0B:AD random
            disconnect-after 10 min
            prepare-queue 40
            advertise
                every 50 ms
                flags general, le-only
                name
                more-services b7a70001-1d00-4c1e-9f00-00a77a77a77a
                rssi -90
                scan-response
                    services 180F
                    service-data 180F u8: 87
                    service-data b7a70001-1d00-4c1e-9f00-00a77a77a77a hex: 01

        service 1800                            # Generic Access
            characteristic 2A00
                properties read, write
                value text: "Törtüre \"0\""
            characteristic 2A01
                properties read
                value u16: 0

        service 1801                            # Generic Attribute
            characteristic 2A05
                properties indicate
                reading forbidden
                value u16: 0x0001 0xFFFF
            characteristic 2B29                 # Client Supported Features: allows several values in one notification
                properties read, write
                value u8: 0
            characteristic 2B2A                 # Database Hash: without a value, the right one
                properties read

        # Duplicate UUIDs: two services that are alike, and characteristics that are alike within each.

        service 180F at 0x0020 as first-battery
            characteristic 2A19
                properties read, notify
                value u8: 10
            characteristic 2A19
                properties read
                value u8: 20

        service 180F as second-battery
            characteristic 2A19
                properties read
                value u8: 30
            characteristic 2A19
                properties read, notify
                value u8: 40

        # Includes: of a 16-bit service, whose UUID is in the declaration, and of 128-bit ones, whose UUID has to be read. The
        # secondary services include each other, which must not send a client round in circles.

        service b7a70001-1d00-4c1e-9f00-00a77a77a77a at 0x0040
            include second-battery
            include b7a70002-1d00-4c1e-9f00-00a77a77a77a
            include b7a70003-1d00-4c1e-9f00-00a77a77a77a at 0x0048
            characteristic b7a70010-1d00-4c1e-9f00-00a77a77a77a at 0x0050
                properties read
                value text: after a gap

        secondary b7a70002-1d00-4c1e-9f00-00a77a77a77a at 0x0060
            include b7a70003-1d00-4c1e-9f00-00a77a77a77a
            characteristic b7a70020-1d00-4c1e-9f00-00a77a77a77a
                properties read
                value text: secondary

        secondary b7a70003-1d00-4c1e-9f00-00a77a77a77a at 0x0070
            include b7a70002-1d00-4c1e-9f00-00a77a77a77a

        # A service with nothing in it.
        service 1815 at 0x0078

        # Long values.

        service b7a70004-1d00-4c1e-9f00-00a77a77a77a at 0x0080
            characteristic b7a70040-1d00-4c1e-9f00-00a77a77a77a     # exactly one Read Response at the MTU of 23
                properties read
                value pattern: 22
            characteristic b7a70041-1d00-4c1e-9f00-00a77a77a77a     # exactly one Read Response at whatever MTU there is
                properties read
                fills-mtu
            characteristic b7a70042-1d00-4c1e-9f00-00a77a77a77a     # the longest value there is
                properties read, write
                value pattern: 512
            characteristic b7a70043-1d00-4c1e-9f00-00a77a77a77a     # nothing
                properties read
                value empty
            characteristic b7a70044-1d00-4c1e-9f00-00a77a77a77a     # for reliable writes
                properties read, write
                extended-properties reliable-write, writable-auxiliaries
                value text: reliable
                descriptor 2901
                    value text: can be written
                    writing open

        # 16- and 128-bit UUIDs in turn: no response of a list can hold two neighbours.

        service b7a70005-1d00-4c1e-9f00-00a77a77a77a at 0x00A0
            characteristic 2A56
                properties read, write-without-response, notify
                value u8: 1
                descriptor b7a70056-1d00-4c1e-9f00-00a77a77a77a
                    value u8: 2
                descriptor 2901
                    value text: the configuration comes last
                descriptor 2902
            characteristic b7a70050-1d00-4c1e-9f00-00a77a77a77a
                properties read
                value u8: 3
            characteristic 2A58
                properties read
                value u16: 4
            characteristic b7a70051-1d00-4c1e-9f00-00a77a77a77a
                properties read
                value u32: 5

        # Refusals.

        service b7a70006-1d00-4c1e-9f00-00a77a77a77a at 0x00C0
            characteristic b7a70060-1d00-4c1e-9f00-00a77a77a77a     # an application error on reading
                properties read
                read-error 0x81
            characteristic b7a70061-1d00-4c1e-9f00-00a77a77a77a     # an application error on writing anything but 1
                properties read, write
                value u8: 1
                accepts u8: 1
                write-error 0x9F
            characteristic b7a70062-1d00-4c1e-9f00-00a77a77a77a     # an encrypted link is needed
                properties read
                reading encrypted
                value text: secret
            characteristic b7a70063-1d00-4c1e-9f00-00a77a77a77a     # an authenticated one
                properties read, write
                reading authenticated
                writing authenticated key-size 16
                value text: very secret
            characteristic b7a70064-1d00-4c1e-9f00-00a77a77a77a     # the application's permission
                properties read
                reading authorized
                value text: not for you
            characteristic b7a70065-1d00-4c1e-9f00-00a77a77a77a     # can be read, says the declaration
                properties read
                reading forbidden
            characteristic b7a70066-1d00-4c1e-9f00-00a77a77a77a     # an error of the common profile
                properties write
                write-error 0xFE

        # Values that come by themselves.

        service b7a70007-1d00-4c1e-9f00-00a77a77a77a at 0x00E0
            characteristic b7a70070-1d00-4c1e-9f00-00a77a77a77a     # comes before the response to the write that enables it
                properties read, notify
                value text: early
                notify-before-response
            characteristic b7a70071-1d00-4c1e-9f00-00a77a77a77a     # both ways
                properties notify, indicate
                value u32: 0
                every 100 ms
                moves u32 at 0 from 0 to 4294967295 by 1
            characteristic b7a70072-1d00-4c1e-9f00-00a77a77a77a     # comes back
                properties write, write-without-response, notify
                echo
            characteristic b7a70073-1d00-4c1e-9f00-00a77a77a77a     # comes back elsewhere
                properties write-without-response
                echo b7a70074-1d00-4c1e-9f00-00a77a77a77a
            characteristic b7a70074-1d00-4c1e-9f00-00a77a77a77a
                properties indicate
            characteristic b7a70075-1d00-4c1e-9f00-00a77a77a77a     # values of all lengths, none included
                properties notify
                value empty
                next u8: 1
                next pattern: 20
                next pattern: 512
                every 50 ms
            characteristic b7a70076-1d00-4c1e-9f00-00a77a77a77a     # takes its time
                properties read
                value text: slow
                read-delay 500 ms

        # The last service of all: a client that looks for what follows 0xFFFF looks for 0x0000.

        service b7a70008-1d00-4c1e-9f00-00a77a77a77a at 0xFFF8 to 0xFFFF
            characteristic b7a70080-1d00-4c1e-9f00-00a77a77a77a at 0xFFFD
                properties read, notify
                value text: the end

        """#
}
