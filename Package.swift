// swift-tools-version: 6.2
import PackageDescription

/// Settings of every Swift target: warnings are errors, unsafe constructs are marked, imports say what they re-export.
let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// A library target of the package with the settings above.
func room(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, swiftSettings: strict)
}

/// The tests of a room.
func tests(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name), "TestSupport"] + dependencies,
        swiftSettings: strict)
}

/// A program that uses CoreBluetooth as on Apple's systems.
func example(_ name: String) -> Target {
    .executableTarget(
        name: name, dependencies: ["CoreBluetooth"], path: "Sources/Examples/\(name)",
        swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
    name: "btatt",
    products: [
        .library(name: "ATT", targets: ["ATT"]),
        .library(name: "GAP", targets: ["GAP"]),
        .library(name: "HCI", targets: ["HCI"]),
        .library(name: "L2CAP", targets: ["L2CAP"]),
        .library(name: "GATT", targets: ["GATT"]),
        .library(name: "Central", targets: ["Central"]),
        .library(name: "CoreBluetooth", targets: ["CoreBluetooth"]),
        .library(name: "Captures", targets: ["Captures"]),
        .library(name: "Replay", targets: ["Replay"]),
        .library(name: "VirtualPeripheral", targets: ["VirtualPeripheral"]),
        .library(name: "Presentation", targets: ["Presentation"]),
        .library(name: "AssignedNumbers", targets: ["AssignedNumbers"]),
        .executable(name: "btatt", targets: ["btatt"]),
    ],
    targets: [
        // Codecs: no I/O, no Foundation, no allocation.
        room("Wire"),
        room("ATT", ["Wire"]),
        room("GAP", ["Wire"]),
        room("HCI", ["Wire", "GAP"]),
        room("L2CAP", ["Wire"]),
        room("AssignedNumbers", ["Wire"]),

        // Protocol engines: bytes and time in, actions out.
        room("GATT", ["ATT"]),

        // What values mean, by the formats that stand beside them.
        room("Presentation", ["GATT", "AssignedNumbers", "Wire"]),

        // The edge: system calls.
        .target(name: "CLinux"),
        room("Sockets", ["CLinux", "Wire"]),
        .systemLibrary(
            name: "CBlueZ", pkgConfig: "bluez", providers: [.apt(["libbluetooth-dev"])]),
        // AES-CMAC for signed writes, by libcrypto when it is there.
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("dl")]),
        // Line editing by libedit, when it is there.
        .target(name: "CEditLine", linkerSettings: [.linkedLibrary("dl")]),
        room("BlueZSockets", ["CBlueZ", "Sockets", "HCI", "L2CAP", "GAP"]),

        room("Captures", ["ATT", "GAP", "HCI", "L2CAP"]),

        room("Replay", ["Captures", "Sockets", "Wire"]),

        // What people touch.
        room("VirtualPeripheral", ["Wire", "GATT", "GAP", "Sockets"]),
        room("Central", ["CCrypto", "GATT", "GAP", "HCI", "Sockets", "BlueZSockets", "VirtualPeripheral", "Wire"]),
        room(
            "CoreBluetooth",
            ["Central", "GATT", "GAP", "VirtualPeripheral", "Sockets", "AssignedNumbers", "Wire"]),
        room("CommandLineParsing"),
        room(
            "BtattCommands",
            [
                "CEditLine", "CommandLineParsing", "Central", "Presentation", "VirtualPeripheral", "BlueZSockets",
                "Sockets", "AssignedNumbers", "GATT", "GAP", "HCI", "Captures", "Replay", "Wire",
            ]),
        .executableTarget(name: "btatt", dependencies: ["BtattCommands"], swiftSettings: strict),

        // Measurement, apart from any socket. The C target holds the codec it is compared with.
        .target(name: "CBenchmark"),
        .executableTarget(
            name: "att-benchmark",
            dependencies: ["CBenchmark", "CommandLineParsing", "ATT", "GAP", "HCI", "GATT", "Sockets", "Central"],
            swiftSettings: strict),

        // Programs as one writes them for iOS or macOS.
        example("heart-rate-client"),
        example("write-client"),
        example("lifecycle-client"),
        example("state-watcher"),

        // Tests.
        .target(name: "CTestSupport", path: "Tests/CTestSupport"),
        .target(name: "TestSupport", dependencies: ["Wire"], path: "Tests/TestSupport", swiftSettings: strict),
        .target(
            name: "SocketsTestSupport", dependencies: ["Sockets", "Wire"], path: "Tests/SocketsTestSupport",
            swiftSettings: strict),
        .target(
            name: "FuzzBodies",
            dependencies: [
                "Wire", "ATT", "GAP", "HCI", "L2CAP", "GATT", "Captures", "VirtualPeripheral", "CommandLineParsing",
                "BtattCommands",
            ],
            path: "Tests/FuzzBodies", swiftSettings: strict),
        tests("FuzzBodies", ["GATT", "Wire"]),
        tests("Wire"),
        tests("AssignedNumbers", ["Wire"]),
        tests("CommandLineParsing"),
        tests(
            "BtattCommands",
            [
                "btatt", "CEditLine", "Captures", "Central", "CommandLineParsing", "GATT", "Presentation", "Sockets",
                "Wire",
            ]),
        tests("Captures", ["ATT", "GAP", "HCI", "Wire"]),
        tests("ATT"),
        tests("GAP", ["HCI", "Wire"]),
        tests("HCI", ["GAP", "L2CAP", "Wire"]),
        tests("L2CAP", ["HCI", "Wire"]),
        tests("Sockets", ["SocketsTestSupport"]),
        tests("BlueZSockets", ["SocketsTestSupport", "CBlueZ", "GAP", "HCI", "Sockets", "Wire"]),
        tests("Central", ["BlueZSockets", "GAP", "Sockets", "SocketsTestSupport", "VirtualPeripheral", "Wire"]),
        tests("GATT", ["Captures", "Presentation", "AssignedNumbers"]),
        tests("Presentation", ["AssignedNumbers", "GATT"]),
        tests(
            "CoreBluetooth",
            [
                "Central", "VirtualPeripheral", "Sockets", "GATT", "GAP", "Wire", "heart-rate-client",
                "write-client", "lifecycle-client", "state-watcher", "CTestSupport",
            ]),
        tests("Replay", ["ATT", "Central", "VirtualPeripheral", "GATT", "Sockets", "Wire"]),
        tests("VirtualPeripheral"),
    ],
    swiftLanguageModes: [.v6]
)

// scripts/fuzz sets this: libFuzzer brings a `main` of its own, which only a build with its sanitizer can link.
if Context.environment["BTATT_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "att-fuzz", dependencies: ["FuzzBodies"],
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
