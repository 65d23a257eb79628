#!/usr/bin/env bash
# environment: controller-and-bumble
# The asynchronous example: a whole lifecycle, the signal strength too.
source "$(dirname "$0")/../../lib/expect.sh"

run env BLUETOOTH_ADAPTER=hci0 BLUETOOTH_STATE_DIRECTORY="$scratch/state" "$project/.build/debug/lifecycle-client"
expect_status 0
for line in 'lifecycle: connected' 'lifecycle: discovered' disconnected; do
    grep -qx "$line" "$output" || fail "no line '$line': $(<"$output")"
done
(($(grep -c '^Heart Rate Measurement: ' "$output") == 3)) || fail "not three heart rates: $(<"$output")"
