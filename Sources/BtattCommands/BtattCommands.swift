// BtattCommands
