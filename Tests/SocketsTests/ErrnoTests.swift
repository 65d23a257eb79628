import Glibc
import Sockets
import Testing

@Suite struct ErrnoTests {
    @Test(arguments: [
        (Int32(111), "ECONNREFUSED", "Connection refused"),
        (110, "ETIMEDOUT", "Connection timed out"),
        (112, "EHOSTDOWN", "Host is down"),
        (1, "EPERM", "Operation not permitted"),
        (132, "ERFKILL", "Operation not possible due to RF-kill"),
        (133, "EHWPOISON", "Memory page has hardware error"),
        (0, "errno 0", "Unknown error"),
        (41, "errno 41", "Unknown error"),
        (134, "errno 134", "Unknown error"),
        (-5, "errno -5", "Unknown error"),
    ])
    func namesAndSentences(number: Int32, name: String, message: String) {
        let error = Errno(rawValue: number)
        #expect(error.name == name)
        #expect(error.message == message)
        #expect(error.description == "\(message) (\(name))")
    }

    @Test func everySentenceIsTheCLibrarys() {
        for number in Int32(1)...133 where number != 41 && number != 58 {
            let expected = unsafe String(cString: strerror(number))
            #expect(Errno(rawValue: number).message == expected, "\(number)")
        }
    }

    @Test func constantsHaveTheNumbersOfTheHeaders() {
        #expect(Errno.wouldBlock.rawValue == EAGAIN)
        #expect(Errno.connectionRefused.rawValue == ECONNREFUSED)
        #expect(Errno.timedOut.rawValue == ETIMEDOUT)
        #expect(Errno.hostDown.rawValue == EHOSTDOWN)
        #expect(Errno.networkDown.rawValue == ENETDOWN)
        #expect(Errno.connectionAborted.rawValue == ECONNABORTED)
        #expect(Errno.inProgress.rawValue == EINPROGRESS)
        #expect(Errno.brokenPipe.rawValue == EPIPE)
        #expect(Errno.messageTooLong.rawValue == EMSGSIZE)
        #expect(Errno.notPermitted.rawValue == EPERM)
        #expect(Errno.cancelled.rawValue == ECANCELED)
    }
}
