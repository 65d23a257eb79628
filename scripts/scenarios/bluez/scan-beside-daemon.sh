#!/usr/bin/env bash
# environment: bluez-daemon
# With bluetoothd managing the same adapter, a scan works.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 scan --json --duration 2
expect_status 0
expect_no_errors
expect_json 'any(.address == "00:AA:01:01:00:01" and .addressType == "public" and (.name // "" | test("BlueZ")))'
