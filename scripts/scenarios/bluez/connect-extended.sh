#!/usr/bin/env bash
# environment: bluez-daemon extended
# On Bluetooth 5 controllers: a name is found by an extended scan, which is off before the kernel connects.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 -d "name:BlueZ 5" read 1800/2a00 --json
expect_status 0
expect_no_errors
expect_json '.[0].value | length > 0'
