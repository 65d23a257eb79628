// Names of advertising data types.
//
// Written by scripts/generate/assigned-numbers from bleak 3.1.0, bluetooth-numbers 1.1.2, bumble 0.0.236.
// Change the script, not this file. It has one line per number, however long that makes it: differences stay readable,
// and one literal compiles in no time.

extension Table {
    static let advertisingDataTypes = Table(
        digits: 2,
        #"""
        01 Flags
        02 Incomplete List of 16-bit Service Class UUIDs
        03 Complete List of 16-bit Service Class UUIDs
        04 Incomplete List of 32-bit Service Class UUIDs
        05 Complete List of 32-bit Service Class UUIDs
        06 Incomplete List of 128-bit Service Class UUIDs
        07 Complete List of 128-bit Service Class UUIDs
        08 Shortened Local Name
        09 Complete Local Name
        0a Tx Power Level
        0d Class of Device
        0e Simple Pairing Hash C-192
        0f Simple Pairing Randomizer R-192
        10 Security Manager TK Value
        11 Security Manager Out of Band Flags
        12 Peripheral Connection Interval Range
        14 List of 16-bit Service Solicitation UUIDs
        15 List of 128-bit Service Solicitation UUIDs
        16 Service Data 16-bit UUID
        17 Public Target Address
        18 Random Target Address
        19 Appearance
        1a Advertising Interval
        1b LE Bluetooth Device Address
        1c LE Role
        1d Simple Pairing Hash C-256
        1e Simple Pairing Randomizer R-256
        1f List of 32-bit Service Solicitation UUIDs
        20 Service Data 32-bit UUID
        21 Service Data 128-bit UUID
        22 LE Secure Connections Confirmation Value
        23 LE Secure Connections Random Value
        24 URI
        25 Indoor Positioning
        26 Transport Discovery Data
        27 LE Supported Features
        28 Channel Map Update Indication
        29 PB-ADV
        2a Mesh Message
        2b Mesh Beacon
        2c BIGInfo
        2d Broadcast Code
        2e Resolvable Set Identifier
        2f Advertising Interval - long
        30 Broadcast Name
        31 Encrypted Advertising Data
        32 Periodic Advertising Response Timing Information
        34 Electronic Shelf Label
        3d 3D Information Data
        ff Manufacturer Specific Data
        """#)
}
