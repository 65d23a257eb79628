import Central
import Sockets
import SocketsTestSupport
import Testing

/// What a central says of the kernel's refusals, against tables of system calls.
@Suite(.timeLimit(.minutes(1))) struct KernelRadioTests {
    /// `socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI)`.
    private let hciSocket = SystemCall.socket(
        domain: 31, type: LinuxNumbers.raw | LinuxNumbers.closeOnExec, protocol: 1)

    @Test(arguments: [
        (Errno.addressFamilyNotSupported, CentralError.Category.noAdapter, Int32(3)),
        (.notPermitted, .missingRights, 4),
        (.permissionDenied, .missingRights, 4),
    ])
    func aKernelThatGivesNoSocket(errno: Errno, category: CentralError.Category, status: Int32) async throws {
        let system = ScriptedSystemCalls([(hciSocket, .error(errno))], keepingLoop: true)
        let loop = try EventLoop(system: system)
        let failed = await attempt { () throws(CentralError) in try await Central(on: loop) }.value
        #expect(failed?.category == category)
        #expect(failed?.exitStatus == status)
        #expect(failed?.errno == errno)
        #expect(failed?.remedy.isEmpty == false)
        #expect(system.mismatches == [])
        loop.stop()
    }

    @Test func anAdapterNumberThatCannotBe() async throws {
        for index in [-1, 70_000] {
            let failed = await attempt { () throws(CentralError) in try await Central(adapter: .hci(index)) }.value
            #expect(failed?.category == .noAdapter)
        }
    }
}
