import GAP
import Testing

@Suite struct IdentityResolvingKeyTests {
    /// The sample data of the Core Specification, Vol 3, Part H, D.7.
    private let key = IdentityResolvingKey(value: 0xEC02_34A3_57C8_AD05_3410_10A6_0A39_7D9B)

    @Test func theHashIsThatOfTheSpecification() {
        #expect(key.hash(of: 0x70_8194) == 0x0D_FBAA)
        // What is above 24 bits does not count.
        #expect(key.hash(of: 0xFF70_8194) == 0x0D_FBAA)
    }

    @Test(arguments: [
        ("70:81:94:0D:FB:AA/random", true), ("70:81:94:0D:FB:AB/random", false), ("70:81:95:0D:FB:AA/random", false),
        // The same octets as a public address are somebody else.
        ("70:81:94:0D:FB:AA/public", false),
        // Static and non-resolvable addresses are never resolved.
        ("F0:81:94:0D:FB:AA/random", false), ("30:81:94:0D:FB:AA/random", false),
    ])
    func onlyItsOwnAddressesAreResolved(text: String, isItsOwn: Bool) throws {
        #expect(key.resolves(try #require(DeviceAddress(text))) == isItsOwn)
    }

    /// The key of RFC 4493's examples, whose AES-128(key, 0) is 7df76b0c1ab899b33e42f047b91b546f.
    @Test func aBlockOfZeros() {
        let key = IdentityResolvingKey(value: 0x2B7E_1516_28AE_D2A6_ABF7_1588_09CF_4F3C)
        #expect(key.hash(of: 0) == 0x1B_546F)
    }
}
