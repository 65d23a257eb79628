# shellcheck shell=bash
# Counting instructions and allocations of att-benchmark's cases. Sourced, never run, after common.sh.

# count_operations PROGRAM [OPTIONS...]: runs the program's cases under callgrind and prints a line for each:
# allocations, instructions, instructions of the C reference or "-", and the case.
count_operations() {
    local program=$1 directory
    shift
    directory=$(mktemp -d)
    # Debian's valgrind 3.19 cannot read the toolchain's DWARF 5. Hashing that differs from run to run would count so.
    strip -g -o "$directory/att-benchmark" "$program"
    if ! SWIFT_DETERMINISTIC_HASHING=1 valgrind --tool=callgrind --callgrind-out-file="$directory/profile" \
        "$directory/att-benchmark" count "$@" >"$directory/operations" 2>"$directory/log"; then
        cat "$directory/log" >&2
        rm -rf "$directory"
        return 1
    fi
    # A profile for every mark: its trigger says which, its totals say how many.
    awk '
        FILENAME ~ /operations$/ {
            side = $1; rounds = $2; made = $3
            sub(/^[^ ]+ [^ ]+ [^ ]+ /, "")
            if (side == "swift") { paths[++number] = $0; allocations[$0] = made }
            operations[side, $0] = rounds
            next
        }
        /^desc: Trigger: Client Request: / { sub(/^desc: Trigger: Client Request: /, ""); mark = $0 }
        /^totals: / { total[mark] = $2 }
        function each(side, path, difference) {
            if (!((side, path) in operations)) return "-"
            difference = total["twice " side " " path] - total["once " side " " path]
            return sprintf("%.1f", difference / operations[side, path])
        }
        END {
            for (i = 1; i <= number; i++)
                printf "%11s %12s %11s %s\n", allocations[paths[i]], each("swift", paths[i]), each("c", paths[i]), paths[i]
        }' "$directory/operations" "$directory"/profile.*
    rm -rf "$directory"
}

# Builds the benchmark as it is measured. What the build says goes to standard error.
build_benchmark() {
    swift build --configuration release --product att-benchmark >&2 || die "the benchmark does not build"
}

# Where build_benchmark put it.
benchmark_program() { printf '%s/att-benchmark\n' "$(swift build --configuration release --show-bin-path)"; }

swift_version() { swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9.]*\).*/Swift \1/p'; }
