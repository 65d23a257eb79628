#!/usr/bin/env bash
# environment: two-controllers extended
# A program that scans sees the adapter go down and up, by an ioctl and by the management interface, and scans again.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

# wait_for_lines TIMES LINE
has_lines() { (($(grep -cxF "$2" "$output") == $1)); }
wait_for_lines() { wait_for 30 has_lines "$@" || fail "not $1 times '$2': $(<"$output")"; }

run_in_background env BLUETOOTH_ADAPTER=hci0 BLUETOOTH_STATE_DIRECTORY="$scratch/state" \
    "$project/.build/debug/state-watcher"
wait_for_lines 1 'Bluetooth is on'
hciconfig hci0 down
wait_for_lines 1 'Bluetooth is off'
hciconfig hci0 up
wait_for_lines 2 'Bluetooth is on'
configure 0 'power off'
wait_for_lines 2 'Bluetooth is off'
switch_on 0
wait_for_lines 3 'Bluetooth is on'
# A program that is killed while it scans leaves the controller scanning.
configure 0 'power off'
wait_for_lines 3 'Bluetooth is off'
interrupt INT
finish
switch_on 0
for _ in 1 2 3; do printf '%s\n' 'Bluetooth is on' 'Bluetooth is off'; done |
    diff - "$output" || fail "it said something else"
expect_no_errors
