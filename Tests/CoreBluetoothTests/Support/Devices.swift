/// A device with one of everything that tests need. Nothing happens on it by itself.
let probe = """
    device Probe
        address C0:DE:00:00:00:01 random
        advertise
            every 20 ms
            flags general, le-only
            services A000
            name
            rssi -40
            scan-response
                tx-power 4
                manufacturer 0xFFFF hex: 01 02
    service 1800
        characteristic 2A00
            properties read
            value text: Probe
    service 1801
        characteristic 2A05
            properties indicate
            reading forbidden
            value u16: 0x0001 0xFFFF
    service A000
        include B000
        include first
        include A000
        characteristic A001
            properties read, write
            value hex: 01
            descriptor 2900
                value u16: 1
            descriptor 2901
                value text: First
            descriptor 2904
                value hex: 04 00 AD 27 01 00 00
            descriptor F00D
                value hex: 09
                writing open
                length up-to 4
        characteristic A002
            properties read, notify
            value hex: 02
        characteristic A003
            properties indicate
            value hex: 03
        characteristic A004
            properties notify, indicate
            value hex: 04
        characteristic A005
            properties write-without-response
        characteristic A006
            properties read
            read-error 0xC0
        characteristic A007
            properties read, write
            value pattern: 512
        characteristic A008
            properties write
        characteristic A009
            properties read
            read-delay 300 ms
            value hex: 09
        characteristic A00A
            properties read
            value hex: 0A
        characteristic A00A
            properties read
            value hex: 0B
        characteristic A00B
            properties notify
            notify-before-response
            value hex: 0C
    service A100 as first
        characteristic A101
            properties read, write, notify
            echo
    service A100
        characteristic A101
            properties read
            value hex: 22
    secondary B000
        characteristic B001
            properties read
            value hex: B1
    """

/// Another device beside it.
let lamp = """
    device Lamp
        address C0:DE:00:00:00:02 random
        advertise
            every 20 ms
            flags general, le-only
            services 1815
            name
            rssi -60
    service 1815
        characteristic 2A56
            properties read, write
            value u8: 0
    """

/// A device whose value needs encryption.
let locked = """
    device Probe
        address C0:DE:00:00:00:0B random
    service A000
        characteristic A001
            properties read, write
            reading encrypted
            writing encrypted
            value hex: 5e
    """
