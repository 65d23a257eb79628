// Names of 128-bit UUIDs of characteristics.
//
// Written by scripts/generate/assigned-numbers from bleak 3.1.0, bluetooth-numbers 1.1.2, bumble 0.0.236.
// Change the script, not this file. It has one line per number, however long that makes it: differences stay readable,
// and one literal compiles in no time.

extension Table {
    static let vendorCharacteristics = Table(
        digits: 32,
        #"""
        000015241212efde1523785feabcd123 Blinky Button State
        000015251212efde1523785feabcd123 Blinky LED State
        000015311212efde1523785feabcd123 Legacy DFU Control Point
        000015321212efde1523785feabcd123 Legacy DFU Packet
        000015341212efde1523785feabcd123 Legacy DFU Version
        000016241212efde1623785feabcd123 LEGO® Wireless Protocol v3 Hub Characteristic
        000016261212efde1623785feabcd123 LEGO® Wireless Protocol v3 Bootloader Characteristic
        0a852c5950d34492bfd322fe58a24f01 Helium Hotspot Public Key
        180efdef75794b4ab2df72733b7fa2fe Helium Hotspot Lights
        22eac6e924d64bb5be44b36ace7c7bfb Apple Data Source
        2f7cabce808d411f9a0cbb92ba96c102 Apple Entity Update
        398168aa01114ec0b1fa171671270608 Helium Hotspot WiFi Connect
        54220001f6a54007a371722f4ebd8436 MDS Supported Features Characteristic
        54220002f6a54007a371722f4ebd8436 MDS Device Identifier Characteristic
        54220003f6a54007a371722f4ebd8436 MDS Device Data URI Characteristic
        54220004f6a54007a371722f4ebd8436 MDS Device Authorization Characteristic
        54220005f6a54007a371722f4ebd8436 MDS Device Data Export Characteristic
        57a70001935011eda1eb0242ac120002 Status Characteristic
        69d1d8f345e149a898219bbdfdaad9d9 Apple Control Point
        6e400002b5a3f393e0a9e50e24dcca9e UART RX Characteristic
        6e400003b5a3f393e0a9e50e24dcca9e UART TX Characteristic
        7731de63bc6a41008ab189b2356b038b Helium Hotspot WiFi SSID
        7dfc60017d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc60027d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc60037d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc60047d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc60057d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61017d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61027d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61037d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61047d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61057d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61067d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61077d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc61087d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc62017d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc62027d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc62037d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc70047d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc70057d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc70067d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc70077d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc70087d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc70097d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc700a7d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc700b7d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc700c7d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71037d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71047d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71057d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71067d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71077d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71087d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc71097d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc710b7d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc710c7d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc710d7d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc80037d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc80047d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        7dfc90017d1c495186aa8d9728f8d66c Apple Reserved Characteristic
        8667556c9a374c9184ed54ee27d90049 Apple Continuity Characteristic
        88400002e95a844ec53ffbec32ed5e54 Fly Button Characteristic
        8cc6e0b398c540ccb1d8692940e6994b Helium Hotspot WiFi Remove
        8e400001f3154f609fb8838830daea50 Experimental Buttonless DFU
        8ec90001f3154f609fb8838830daea50 DFU Control Point
        8ec90002f3154f609fb8838830daea50 DFU Packet
        8ec90003f3154f609fb8838830daea50 Buttonless DFU Without Bonds
        8ec90004f3154f609fb8838830daea50 Buttonless DFU With Bonds
        932c32bd000247a2835aa8d455b859dd Philips Hue Light On/Off Toggle
        932c32bd000347a2835aa8d455b859dd Philips Hue Light Brightness Level
        932c32bd000547a2835aa8d455b859dd Philips Hue Light Color
        955a15230fe2f5aaa09484b8d4f3e8ad Beacon Config
        955a15240fe2f5aaa09484b8d4f3e8ad Beacon UUID
        955a15250fe2f5aaa09484b8d4f3e8ad Calibration
        955a15260fe2f5aaa09484b8d4f3e8ad Major & Minor
        955a15270fe2f5aaa09484b8d4f3e8ad Manufacturer ID
        955a15280fe2f5aaa09484b8d4f3e8ad Connection Interval
        955a15290fe2f5aaa09484b8d4f3e8ad LED Config
        9b3c81d857b14a8ab8df0e56f7ca51c2 Apple Remote Command
        9c4314f28a0c45fda58dd4a7e64c3a57 Helium Hotspot WiFi MAC Address
        9fbf120d630142d98c5825e699a21dbd Apple Notification Source
        a3c875018ed34bdf8a39a01bebede295 Eddystone Capabilities
        a3c875028ed34bdf8a39a01bebede295 Eddystone Active Slot
        a3c875038ed34bdf8a39a01bebede295 Eddystone Advertising Interval
        a3c875048ed34bdf8a39a01bebede295 Eddystone Radio Tx Power
        a3c875058ed34bdf8a39a01bebede295 Eddystone (Advanced) Advertised Tx Power
        a3c875068ed34bdf8a39a01bebede295 Eddystone Lock State
        a3c875078ed34bdf8a39a01bebede295 Eddystone Unlock
        a3c875088ed34bdf8a39a01bebede295 Eddystone Public ECDH Key
        a3c875098ed34bdf8a39a01bebede295 Eddystone EID Identity Key
        a3c8750a8ed34bdf8a39a01bebede295 Eddystone ADV Slot Data
        a3c8750b8ed34bdf8a39a01bebede295 Eddystone Advanced Factory Reset
        a3c8750c8ed34bdf8a39a01bebede295 Eddystone (Advanced) Remain Connectable
        a6c313386c07453e961ad8a8a41bf368 Candy Control Point
        adaf0001c33242a893bd25e905756cb8 Adafruit Sensor Measurement Period
        adaf0002c33242a893bd25e905756cb8 Adafruit Sensor Service Version
        adaf010046696c655472616e73666572 Adafruit Version
        adaf0101c33242a893bd25e905756cb8 Adafruit Temperature
        adaf020046696c655472616e73666572 Adafruit Raw TX/RX
        adaf0201c33242a893bd25e905756cb8 Adafruit Acceleration
        adaf0301c33242a893bd25e905756cb8 Adafruit Light Level
        adaf0401c33242a893bd25e905756cb8 Adafruit Gyro
        adaf0501c33242a893bd25e905756cb8 Adafruit Magnetic
        adaf0601c33242a893bd25e905756cb8 Adafruit Pressed
        adaf0701c33242a893bd25e905756cb8 Adafruit Humidity
        adaf0801c33242a893bd25e905756cb8 Adafruit Pressure
        adaf0901c33242a893bd25e905756cb8 Adafruit Pixel Pin
        adaf0902c33242a893bd25e905756cb8 Adafruit Pixel Pin Type
        adaf0903c33242a893bd25e905756cb8 Adafruit Pixel Data
        adaf0904c33242a893bd25e905756cb8 Adafruit Pixel Buffer Size
        adaf0a01c33242a893bd25e905756cb8 Adafruit Color
        adaf0b01c33242a893bd25e905756cb8 Adafruit Sound Samples
        adaf0b02c33242a893bd25e905756cb8 Adafruit Number of Channels
        adaf0c01c33242a893bd25e905756cb8 Adafruit Tone
        adaf0d01c33242a893bd25e905756cb8 Adafruit Quaternions
        adaf0d02c33242a893bd25e905756cb8 Adafruit Calibration In
        adaf0d03c33242a893bd25e905756cb8 Adafruit Calibration Out
        adaf0e01c33242a893bd25e905756cb8 Adafruit Proximity
        af0badb15b9943cd917aa77bc549e3cc Nearby Characteristic
        b35d7da6eed44d598f89f6573edea967 URI Beacon Config (V1)
        b35d7da7eed44d598f89f6573edea967 Data One
        b35d7da8eed44d598f89f6573edea967 Data Two
        b35d7da9eed44d598f89f6573edea967 Data Length
        b833d34fd871422cbf9e8e6ec117d57e Helium Hotspot Diagnostics
        be15bee06186407e83810bd89c4d8df4 Anki Drive Vehicle Service READ
        be15bee16186407e83810bd89c4d8df4 Anki Drive Vehicle Service WRITE
        c5f50002828046da89f46d8051e4aeef Pybricks Characteristic
        c6b2f38c23ab46d8a6aba3a870bbd5d7 Apple Entity Attribute
        d083b2bdbe164600b39761512ca2f5ad Helium Hotspot Onboarding Key
        d435f5de01a44e7d84badfd347f60275 Helium Hotspot Assert Location
        d75150337e7b45be803fc8737b171a29 Helium Hotspot WiFi Services
        da2e7828fbce4e01ae9e261174997c48 SMP Characteristic
        df3b16cac9854da2a6d29b9b9abdb858 Helium Hotspot Add Gateway
        e125bda46fb811eabc550242ac130003 Helium Hotspot WiFi Configured Services
        e2a00002ec314ec3a97a1c34d87e9878 Edge Impulse Remote Management RX Characteristic
        e2a00003ec314ec3a97a1c34d87e9878 Edge Impulse Remote Management TX Characteristic
        e5866bd60288447698caef7da6b4d289 Helium Hotspot Ethernet Online
        e95d0d2d251d470aa062fa1922dfa9a8 micro:bit Scrolling Delay
        e95d1b25251d470aa062fa1922dfa9a8 micro:bit Temperature Period
        e95d23c4251d470aa062fa1922dfa9a8 micro:bit Client Requirements
        e95d386c251d470aa062fa1922dfa9a8 micro:bit Magnetometer Period
        e95d5404251d470aa062fa1922dfa9a8 micro:bit Client Event
        e95d5899251d470aa062fa1922dfa9a8 micro:bit Pin AD Configuration
        e95d7b77251d470aa062fa1922dfa9a8 micro:bit LED Matrix State
        e95d8d00251d470aa062fa1922dfa9a8 micro:bit Pin Data
        e95d9250251d470aa062fa1922dfa9a8 micro:bit Temperature
        e95d93b1251d470aa062fa1922dfa9a8 micro:bit DFU Control
        e95d93ee251d470aa062fa1922dfa9a8 micro:bit LED Text
        e95d9715251d470aa062fa1922dfa9a8 micro:bit Magnetometer Bearing
        e95d9775251d470aa062fa1922dfa9a8 micro:bit Event
        e95db84c251d470aa062fa1922dfa9a8 micro:bit Requirements
        e95db9fe251d470aa062fa1922dfa9a8 micro:bit Pin I/O Configuration
        e95dca4b251d470aa062fa1922dfa9a8 micro:bit Accelerometer Data
        e95dd822251d470aa062fa1922dfa9a8 micro:bit PWM Control
        e95dda90251d470aa062fa1922dfa9a8 micro:bit Button A State
        e95dda91251d470aa062fa1922dfa9a8 micro:bit Button B State
        e95dfb11251d470aa062fa1922dfa9a8 micro:bit Magnetometer Data
        e95dfb24251d470aa062fa1922dfa9a8 micro:bit Accelerometer Period
        ee0c2081878640baab9699b91ac981d8 Lock State
        ee0c2082878640baab9699b91ac981d8 Lock
        ee0c2083878640baab9699b91ac981d8 Unlock
        ee0c2084878640baab9699b91ac981d8 Data
        ee0c2085878640baab9699b91ac981d8 Flags
        ee0c2086878640baab9699b91ac981d8 Power Levels
        ee0c2087878640baab9699b91ac981d8 Power Mode
        ee0c2088878640baab9699b91ac981d8 Period
        ee0c2089878640baab9699b91ac981d8 Reset
        ef6801019b3549339b1052ffa9740042 Thingy Device Name
        ef6801029b3549339b1052ffa9740042 Thingy Advertising Parameters
        ef6801049b3549339b1052ffa9740042 Thingy Connection Parameters
        ef6801059b3549339b1052ffa9740042 Thingy Eddystone URL
        ef6801069b3549339b1052ffa9740042 Thingy Cloud Token
        ef6801079b3549339b1052ffa9740042 Thingy FW Version
        ef6801089b3549339b1052ffa9740042 Thingy MTU Request
        ef6802019b3549339b1052ffa9740042 Thingy Temperature
        ef6802029b3549339b1052ffa9740042 Thingy Pressure
        ef6802039b3549339b1052ffa9740042 Thingy Humidity
        ef6802049b3549339b1052ffa9740042 Thingy Air Quality
        ef6802059b3549339b1052ffa9740042 Thingy Color
        ef6802069b3549339b1052ffa9740042 Thingy Configuration
        ef6803019b3549339b1052ffa9740042 Thingy LED State
        ef6803029b3549339b1052ffa9740042 Thingy Button State
        ef6803039b3549339b1052ffa9740042 Thingy EXT Pin
        ef6804019b3549339b1052ffa9740042 Thingy Motion Config
        ef6804029b3549339b1052ffa9740042 Thingy Tap
        ef6804039b3549339b1052ffa9740042 Thingy Orientation
        ef6804049b3549339b1052ffa9740042 Thingy Quaternion
        ef6804059b3549339b1052ffa9740042 Thingy Pedometer
        ef6804069b3549339b1052ffa9740042 Thingy Raw Data
        ef6804079b3549339b1052ffa9740042 Thingy Euler
        ef6804089b3549339b1052ffa9740042 Thingy Rotation Matrix
        ef6804099b3549339b1052ffa9740042 Thingy Heading
        ef68040a9b3549339b1052ffa9740042 Thingy Gravity Vector
        ef6805019b3549339b1052ffa9740042 Thingy Sound Config
        ef6805029b3549339b1052ffa9740042 Thingy Speaker Data
        ef6805039b3549339b1052ffa9740042 Thingy Speaker Status
        ef6805049b3549339b1052ffa9740042 Thingy Microphone
        f000ffc104514000b000000000000000 Texas Instruments Image Identify
        f000ffc204514000b000000000000000 Texas Instruments Image Block
        f000ffc504514000b000000000000000 Texas Instruments OAD Control
        fe2c1233836648148eb001de32100bea Fast Pair Model ID
        fe2c1234836648148eb001de32100bea Fast Pair Key-based Pairing
        fe2c1235836648148eb001de32100bea Fast Pair Passkey
        fe2c1236836648148eb001de32100bea Fast Pair Account Key
        fe2c1237836648148eb001de32100bea Fast Pair Data
        """#)
}
