#!/usr/bin/env bash
# environment: two-controllers extended
# A scan on a Bluetooth 5 controller uses the extended commands, and finds what the other controller advertises.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 scan --json --duration 2
expect_status 0
expect_no_errors
expect_json 'any(.address == "00:AA:01:01:00:01" and .addressType == "public")'

# Passively too: parameters are set anew each time.
run btatt -i hci0 scan --json --passive --duration 1
expect_status 0
expect_json 'any(.address == "00:AA:01:01:00:01")'
