#!/usr/bin/env bash
# environment: controller-and-bumble
# The example that writes: a long value with response, and two hundred packets without.
source "$(dirname "$0")/../../lib/expect.sh"

run env BLUETOOTH_ADAPTER=hci0 BLUETOOTH_STATE_DIRECTORY="$scratch/state" "$project/.build/debug/write-client"
expect_status 0
for line in 'wrote 512 octets' 'read them back' 'sent all packets' disconnected; do
    grep -qx "$line" "$output" || fail "no line '$line': $(<"$output")"
done
