import Foundation
import Sockets
import Testing
import VirtualPeripheral

@Suite struct LoadingDevicesTests {
    /// A file with these octets, gone after the test.
    private func withFile(_ octets: [UInt8], _ body: (String) throws -> Void) throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "\(UInt64.random(in: 0...UInt64.max)).device")
        try Data(octets).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        try body(url.path())
    }

    @Test func builtInDevicesAndFiles() throws {
        #expect(try DeviceDescription.load("torture") == BuiltInDevice.torture.description)
        let long = "device Lamp\n" + String(repeating: "# nothing\n", count: 5000) + "service 1815\n"
        try withFile(Array(long.utf8)) { path in
            let device = try DeviceDescription.load(path)
            #expect(device.services[0].uuid == 0x1815)
        }
    }

    @Test func errorsNameTheFile() throws {
        #expect {
            try DeviceDescription.load("toaster")
        } throws: { error in
            "\(error)"
                == "there is no file toaster and no built-in device of that name (there are heart-rate, thermometer, torture)"
        }
        #expect(throws: DeviceLoadError.unreadable("/", Errno(rawValue: 21))) { try DeviceDescription.load("/") }
        try withFile([0x64, 0xFF, 0xFE]) { path in
            #expect(throws: DeviceLoadError.notADeviceFile(path)) { try DeviceDescription.load(path) }
        }
        try withFile([UInt8](repeating: 0x23, count: 1_000_001)) { path in
            #expect(throws: DeviceLoadError.notADeviceFile(path)) { try DeviceDescription.load(path) }
        }
        try withFile(Array("device X\n  mtu 1\n".utf8)) { path in
            #expect {
                try DeviceDescription.load(path)
            } throws: { error in
                "\(error)" == "\(path), line 2, column 7: 1 is out of range; expected the server's MTU, 23 to 2048"
            }
        }
    }
}
