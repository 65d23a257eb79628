#!/usr/bin/env bash
# environment: controller-and-bumble
# The adapter is switched off in mid-scan: the scan ends by itself and says why.
source "$(dirname "$0")/../../lib/expect.sh"

run_in_background btatt -i hci0 scan --json --duplicates --duration 30
wait_for_output 30 "$peripheral"
hciconfig hci0 down
finish
hciconfig hci0 up
expect_status 3
expect_sentence 'hci0.*(down|off)'

# And it works again once the adapter is up.
run btatt -i hci0 scan --json --count 1
expect_status 0
