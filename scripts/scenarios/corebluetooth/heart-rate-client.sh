#!/usr/bin/env bash
# environment: controller-and-bumble
# The delegate-based example, as it would be written for iOS: finds, reads, listens, switches off and leaves.
source "$(dirname "$0")/../../lib/expect.sh"

run env BLUETOOTH_ADAPTER=hci0 BLUETOOTH_STATE_DIRECTORY="$scratch/state" "$project/.build/debug/heart-rate-client"
expect_status 0
grep -q '^found Bumble HR' "$output" || fail "it found: $(head -n 1 "$output")"
(($(grep -c '^heart rate: ' "$output") >= 5)) || fail "fewer than five heart rates: $(<"$output")"
[[ $(tail -n 1 "$output") == disconnected ]] || fail "the last line is $(tail -n 1 "$output")"
expect_peer 'heart rate notifications off'
