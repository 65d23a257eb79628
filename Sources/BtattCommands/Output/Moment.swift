import Glibc

/// A moment of the calendar, to the microsecond, in Coordinated Universal Time.
struct Moment: Hashable, Sendable, CustomStringConvertible {
    /// Microseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
    var microseconds: Int64

    /// The present moment.
    static func now() -> Moment {
        var time = timespec()
        // The address is valid for the call.
        _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
        return Moment(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000)
    }

    /// ISO 8601 with microseconds: `2025-03-01T12:00:00.000250Z`.
    var description: String {
        let (date, time) = parts
        return "\(date)T\(time)Z"
    }

    /// The time of the day alone, for people who look at a running program: `12:00:00.000250`.
    var clock: String { parts.time }

    private var parts: (date: String, time: String) {
        let day: Int64 = 86_400_000_000
        let days = (microseconds >= 0 ? microseconds : microseconds - day + 1) / day
        let rest = microseconds - days * day
        // Days to year, month and day of the proleptic Gregorian calendar, in eras of 400 years that begin in March.
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let dayOfMonth = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let seconds = rest / 1_000_000
        let date = "\(zeros(year, 4))-\(zeros(month, 2))-\(zeros(dayOfMonth, 2))"
        let hours = "\(zeros(seconds / 3_600, 2)):\(zeros(seconds / 60 % 60, 2)):\(zeros(seconds % 60, 2))"
        return (date, "\(hours).\(zeros(rest % 1_000_000, 6))")
    }
}

/// A number in at least `digits` digits.
func zeros(_ number: some BinaryInteger, _ digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
}
