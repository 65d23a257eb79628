// CoreBluetooth: Apple's framework of that name, its central role, on the modules of this package.
//
// Programs written for iOS and macOS find the same types, methods and callbacks. What happens under them:
//
//     the program's threads          a manager's callback queue            the event loop's thread
//
//     CBCentralManager.connect ──▶ visible state, under a lock ─────────▶ Host: links, shared by managers
//     CBPeripheral.readValue   ──▶                             ─────────▶ Session: operations, one at a time
//                                                                             │ Connection, ClientEngine
//     delegate  ◀── visible state, then the call ◀── in order, on a serial queue ◀──┘
//
// A call changes what has to be visible when it returns, hands the rest to the event loop and comes back; it never waits
// and never calls a delegate. What happens on the loop goes to the manager's serial queue, which targets the queue that the
// program gave: there the objects change and the delegate is called, one block for each event. A session belongs to one
// connection of one manager. Events of a session that is no longer the peripheral's are dropped, so nothing of a former
// connection can show up later.

// As on Apple's systems, importing CoreBluetooth brings Foundation along.
@_exported public import Dispatch
@_exported public import Foundation

@_exported public import typealias CoreFoundation.CFAbsoluteTime
