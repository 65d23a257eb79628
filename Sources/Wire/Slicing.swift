extension RawSpan {
    /// `count` octets from `offset` on, without a copy and without a check, for parsers that have checked.
    ///
    /// `extracting(unchecked:)` does the same but still asks whether the span has any memory and whether the length
    /// overflows, which costs as much as decoding a small field.
    ///
    /// - Parameters:
    ///   - offset: where to begin; the caller has found `offset + count` to be at most `byteCount`.
    ///   - count: how many octets, not negative.
    /// - Precondition: the span is not empty.
    @unsafe
    @inlinable
    @inline(__always)
    @_lifetime(copy self)
    public func slice(uncheckedFrom offset: Int, count: Int) -> RawSpan {
        let start = unsafe withUnsafeBytes { octets in
            // A span that is not empty has an address.
            unsafe octets.baseAddress.unsafelyUnwrapped
        }
        let slice = unsafe UnsafeRawBufferPointer(start: start + offset, count: count)
        // The slice lies inside this span, and what keeps the span's memory keeps the slice's.
        return unsafe _overrideLifetime(slice.bytes, copying: self)
    }
}
