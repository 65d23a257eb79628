#!/usr/bin/env bash
# environment: controller-and-bumble
# Another program scans: it is said, nothing crashes, and the other scan goes on undisturbed.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

stdbuf -oL hcitool -i hci0 lescan --duplicates >"$scratch/other" 2>&1 &
other=$!
wait_for 5 is_scanning hci0 || fail "hcitool does not scan"

run btatt -i hci0 scan --duration 2
expect_status 3
expect_sentence 'hci0.*(already|another).*(bluetoothd|hcitool|program)'

is_scanning hci0 || fail "the other program's scan was ended"
before=$(wc -l <"$scratch/other")
wait_for 3 eval "((\$(wc -l <'$scratch/other') > $before))" || fail "the other program hears nothing any more"
kill -INT "$other"
# hcitool itself leaves the controller scanning when a signal ends it.
wait "$other" || true
hcitool -i hci0 cmd 0x08 0x000c 00 00 >/dev/null
