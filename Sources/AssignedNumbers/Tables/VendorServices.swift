// Names of 128-bit UUIDs of services.
//
// Written by scripts/generate/assigned-numbers from bleak 3.1.0, bluetooth-numbers 1.1.2, bumble 0.0.236.
// Change the script, not this file. It has one line per number, however long that makes it: differences stay readable,
// and one literal compiles in no time.

extension Table {
    static let vendorServices = Table(
        digits: 32,
        #"""
        000015231212efde1523785feabcd123 Nordic LED and Button Service
        000015301212efde1523785feabcd123 Legacy DFU Service
        000016231212efde1623785feabcd123 LEGO® Wireless Protocol v3 Hub Service
        000016251212efde1623785feabcd123 LEGO® Wireless Protocol v3 Bootloader Service
        0fda92b244a24af284f5fa682baa2b8d Helium Hotspot Custom Service
        54220000f6a54007a371722f4ebd8436 Memfault Diagnostic Service
        57a70000935011eda1eb0242ac120002 Nordic Status Message Service
        6e400001b5a3f393e0a9e50e24dcca9e Nordic UART Service
        7905f431b5ce4e99a40f4b1e122d00d0 Apple Notification Center Service
        7dfc60007d1c495186aa8d9728f8d66c Apple Reserved Service
        7dfc70007d1c495186aa8d9728f8d66c Apple Reserved Service
        7dfc80007d1c495186aa8d9728f8d66c Apple Reserved Service
        7dfc90007d1c495186aa8d9728f8d66c Apple Reserved Service
        88400001e95a844ec53ffbec32ed5e54 Digital Bird Service
        89d3502b0f36433a8ef4c502ad55f8dc Apple Media Service
        8d53dc1d1db74cd3868b8a527460aa84 SMP Service
        932c32bd000047a2835aa8d455b859dd Philips Hue Light Control Service
        9fa480e0496745429390d343dc5d04ae Apple Nearby Service
        a3c875008ed34bdf8a39a01bebede295 Eddystone Configuration Service
        a6c313376c07453e961ad8a8a41bf368 Candy Dispenser Service
        adaf0100c33242a893bd25e905756cb8 Adafruit Temperature Service
        adaf0200c33242a893bd25e905756cb8 Adafruit Accelerometer Service
        adaf0300c33242a893bd25e905756cb8 Adafruit Light Service
        adaf0400c33242a893bd25e905756cb8 Adafruit Gyroscope Service
        adaf0500c33242a893bd25e905756cb8 Adafruit Magnetometer Service
        adaf0600c33242a893bd25e905756cb8 Adafruit Button Service
        adaf0700c33242a893bd25e905756cb8 Adafruit Humidity Service
        adaf0800c33242a893bd25e905756cb8 Adafruit Barometric Service
        adaf0900c33242a893bd25e905756cb8 Adafruit Addressable Service
        adaf0a00c33242a893bd25e905756cb8 Adafruit Color Service
        adaf0b00c33242a893bd25e905756cb8 Adafruit Sound Service
        adaf0c00c33242a893bd25e905756cb8 Adafruit Tone Service
        adaf0d00c33242a893bd25e905756cb8 Adafruit Quaternion Service
        adaf0e00c33242a893bd25e905756cb8 Adafruit Proximity Service
        b8843add00004aa18794c3f462030bda Philips Hue Light Update Service
        be15beef6186407e83810bd89c4d8df4 Anki Drive Vehicle Service
        c5f50001828046da89f46d8051e4aeef Pybricks Service
        d0611e78bbb44591a5f8487910ae4366 Apple Continuity Service
        e2a00001ec314ec3a97a1c34d87e9878 Edge Impulse Remote Management Service
        e95d0753251d470aa062fa1922dfa9a8 micro:bit Accelerometer Service
        e95d127b251d470aa062fa1922dfa9a8 micro:bit IO Pin Service
        e95d6100251d470aa062fa1922dfa9a8 micro:bit Temperature Service
        e95d93af251d470aa062fa1922dfa9a8 micro:bit Event Service
        e95d93b0251d470aa062fa1922dfa9a8 micro:bit DFU Control Service
        e95d9882251d470aa062fa1922dfa9a8 micro:bit Button Service
        e95dd91d251d470aa062fa1922dfa9a8 micro:bit LED Service
        e95df2d8251d470aa062fa1922dfa9a8 micro:bit Magnetometer Service
        ee0c2080878640baab9699b91ac981d8 Eddystone-URL Configuration Service
        ef6801009b3549339b1052ffa9740042 Thingy Configuration Service
        ef6802009b3549339b1052ffa9740042 Thingy Weather Station Service
        ef6803009b3549339b1052ffa9740042 Thingy UI Service
        ef6804009b3549339b1052ffa9740042 Thingy Motion Service
        ef6805009b3549339b1052ffa9740042 Thingy Sound Service
        f000ffc004514000b000000000000000 Texas Instruments Over-the-Air Download (OAD) Service
        """#)
}
