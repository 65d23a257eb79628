#!/usr/bin/env bash
# environment: bluez-daemon extended
# On Bluetooth 5 controllers: a device is found by an extended scan, by its name and by its address without the type, and
# the scan is off before the kernel connects.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 scan --json --duration 2
expect_status 0
expect_json 'any(.address == "00:AA:01:01:00:01" and (.name // "" | test("BlueZ")))'
name=$(jq -r 'select(.name != null) | .name' "$output" | head -n 1)

for device in "name:$name" 00:AA:01:01:00:01; do
    run btatt -i hci0 -d "$device" read 1800/2a00 --json
    expect_status 0
    expect_no_errors
    expect_json '.[0].value | length > 0'
done
