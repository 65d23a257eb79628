/// A device that needs no file: its description is compiled in.
public enum BuiltInDevice: String, CaseIterable, Sendable {
    /// A heart-rate sensor with a moving pulse, a battery and device information.
    case heartRate = "heart-rate"
    /// A thermometer whose measurements are indicated.
    case thermometer
    /// What the specification allows and clients stumble over: duplicate UUIDs, includes of 128-bit services, long values,
    /// a service that ends at 0xFFFF, mixed UUID sizes, application errors, early notifications, and more.
    case torture

    /// The name people select it by.
    public var name: String { rawValue }

    /// Its device file.
    public var file: String {
        switch self {
        case .heartRate: Self.heartRateFile
        case .thermometer: Self.thermometerFile
        case .torture: Self.tortureFile
        }
    }

    /// What the file describes.
    public var description: DeviceDescription {
        switch self {
        case .heartRate: Self.heartRateDescription
        case .thermometer: Self.thermometerDescription
        case .torture: Self.tortureDescription
        }
    }

    private static let heartRateDescription = described(heartRateFile)
    private static let thermometerDescription = described(thermometerFile)
    private static let tortureDescription = described(tortureFile)

    private static func described(_ file: String) -> DeviceDescription {
        do throws(DeviceFileError) {
            return try DeviceDescription(parsing: file)
        } catch {
            // The files are part of this module, and its tests read every one of them.
            fatalError("a built-in device: \(error)")
        }
    }
}

extension DeviceDescription {
    /// All built-in devices.
    public static var builtIn: [DeviceDescription] { BuiltInDevice.allCases.map(\.description) }

    /// The built-in device of this name, such as `heart-rate`; `nil` when there is none.
    public init?(builtIn name: String) {
        guard let device = BuiltInDevice(rawValue: name) else { return nil }
        self = device.description
    }
}
