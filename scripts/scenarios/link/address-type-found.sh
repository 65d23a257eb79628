#!/usr/bin/env bash
# environment: controller-and-bumble
# An address without its type, and a name: a short scan finds the device, and the scan is off before connecting.
source "$(dirname "$0")/../../lib/expect.sh"

for device in "$peripheral" "name:Bumble HR"; do
    run btatt -i hci0 -d "$device" read 180a/2a29 --json
    expect_status 0
    expect_no_errors
    expect_json '.[0].value == "42756d626c65204c616273"'
done
