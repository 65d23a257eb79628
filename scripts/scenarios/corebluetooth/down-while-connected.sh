#!/usr/bin/env bash
# environment: controller-and-bumble --heart-rate-interval 0.5
# A program with an open connection sees the adapter go down: the state is all that it is told of. The virtual air does not
# tell the peripheral, which is of no use for another connection then, so this environment is for this scenario alone.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

run_in_background env BLUETOOTH_ADAPTER=hci0 BLUETOOTH_STATE_DIRECTORY="$scratch/state" \
    "$project/.build/debug/state-watcher"
wait_for_output 30 '^connected to '
hciconfig hci0 down
wait_for_output 30 'is not connected$'
# Nothing else follows.
sleep 1
interrupt INT
finish
switch_on 0
identifier=$(sed -n 's/^found Bumble HR, identifier //p' "$output")
printf '%s\n' 'Bluetooth is on' "found Bumble HR, identifier $identifier" 'connected to Bumble HR' 'Bluetooth is off' \
    'Bumble HR is not connected' | diff - "$output" || fail "it said something else"
expect_no_errors
