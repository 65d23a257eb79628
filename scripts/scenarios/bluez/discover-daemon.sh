#!/usr/bin/env bash
# environment: bluez-daemon
# Discovery of BlueZ's own GATT server: its GATT service has the characteristics of caching.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 -d 00:AA:01:01:00:01/public discover --json
expect_status 0
expect_no_errors
for service in 1800 1801; do
    expect_json "any(.kind == \"service\" and .uuid == \"$service\")"
done
for characteristic in 2a00 2a01 2a05 2b29 2b2a 2b3a; do
    expect_json "any(.kind == \"characteristic\" and .uuid == \"$characteristic\")"
done

run btatt -i hci0 -d 00:AA:01:01:00:01/public read 1800/2a00 --json
expect_status 0
expect_json '.[0].value | length > 0'
