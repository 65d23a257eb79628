import BtattCommands

await Btatt.main()
