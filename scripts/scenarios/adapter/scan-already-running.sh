#!/usr/bin/env bash
# environment: controller-and-bumble
# Another program scans: it is said, nothing crashes, and the other scan goes on undisturbed.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

heard=$scratch/heard
stdbuf -oL hcitool -i hci0 lescan --duplicates >"$heard" 2>&1 &
other=$!
# hcitool itself leaves the controller scanning when it is killed.
trap 'kill "$other" 2>/dev/null; hcitool -i hci0 cmd 0x08 0x000c 00 00 >/dev/null; rm -rf "$scratch"' EXIT
wait_for 20 is_scanning hci0 || fail "hcitool does not scan"

run btatt -i hci0 scan --duration 2
expect_status 3
expect_no_output
expect_sentence 'hci0.*already.*hcitool.*listen'

# What its sentence advises. The peripheral has to advertise anew to be heard again.
before=$(wc -l <"$heard")
run_in_background btatt -i hci0 scan --listen --json --count 1
for _ in 1 2 3; do
    sleep 1
    kill -USR1 "$(<"$guest/peripheral.pid")"
done
finish
expect_status 0
expect_json ".[0].address == \"$peripheral\""

is_scanning hci0 || fail "the other program's scan was ended"
(($(wc -l <"$heard") > before)) || fail "the other program hears nothing any more"
