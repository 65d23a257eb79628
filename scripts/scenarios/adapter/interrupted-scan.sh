#!/usr/bin/env bash
# environment: controller-and-bumble
# Ctrl-C and SIGTERM in mid-scan: exit status 130, scanning off.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

for signal in INT TERM; do
    run_in_background btatt -i hci0 scan --json --duplicates
    wait_for_output 30 "$peripheral"
    is_scanning hci0 || fail "it does not scan"
    interrupt "$signal"
    finish
    expect_status 130
    expect_json 'length > 0'
    ! is_scanning hci0 || fail "it left the controller scanning"
done
