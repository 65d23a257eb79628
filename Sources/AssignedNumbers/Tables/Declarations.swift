// Names of GATT declarations.
//
// Written by scripts/generate/assigned-numbers from bleak 3.1.0, bluetooth-numbers 1.1.2, bumble 0.0.236.
// Change the script, not this file. It has one line per number, however long that makes it: differences stay readable,
// and one literal compiles in no time.

extension Table {
    static let declarations = Table(
        digits: 4,
        #"""
        2800 Primary Service
        2801 Secondary Service
        2802 Include
        2803 Characteristic
        """#)
}
