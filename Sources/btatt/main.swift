import BtattCommands

Btatt.fillStandardStreams()
await Btatt.main()
