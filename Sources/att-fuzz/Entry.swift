// Where libFuzzer comes in. The library's own `main` calls these functions; which target they fuzz is said in the
// environment, because libFuzzer takes every argument for its own. Built by scripts/fuzz only: a plain build cannot link
// it.

import FuzzBodies
import Glibc

/// The target that `BTATT_FUZZ_TARGET` names.
private let target: FuzzTarget = {
    let names = FuzzTarget.all.map(\.name).joined(separator: " ")
    guard let name = environment("BTATT_FUZZ_TARGET"), let target = FuzzTarget.named(name) else {
        fatalError("BTATT_FUZZ_TARGET must be one of: \(names)")
    }
    return target
}()

/// Called once: writes the seeds of the target into the folder that `BTATT_FUZZ_SEEDS` names, made of the fixtures in
/// `BTATT_FUZZ_FIXTURES`, if both are there.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
    _: UnsafeMutablePointer<Int32>?, _: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>>>?
) -> Int32 {
    guard let folder = environment("BTATT_FUZZ_SEEDS"), let fixtures = environment("BTATT_FUZZ_FIXTURES") else {
        return 0
    }
    for (number, seed) in target.seeds(Fixtures(at: fixtures)).enumerated() {
        guard let file = unsafe fopen("\(folder)/seed-\(number)", "w") else {
            fatalError("cannot write to \(folder)")
        }
        _ = unsafe fwrite(seed, 1, seed.count, file)
        unsafe fclose(file)
    }
    return 0
}

/// Called with each input; −1 says that it is not worth keeping. A finding ends the program, which is how libFuzzer learns of it.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
    guard count <= target.maximumLength else { return -1 }
    // libFuzzer lends so many octets for the call.
    let input = unsafe UnsafeRawBufferPointer(start: start, count: count)
    run(unsafe input.bytes)
    return 0
}

private func run(_ input: RawSpan) {
    do throws(Finding) {
        try target.run(input)
    } catch {
        fatalError("\(target.name): \(error)")
    }
}

private func environment(_ name: String) -> String? {
    guard let value = unsafe getenv(name) else { return nil }
    return unsafe String(cString: value)
}
