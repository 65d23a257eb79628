#!/usr/bin/env bash
# environment: controller-and-bumble
# Adapters are listed with index, address and state.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt adapters --json
expect_status 0
expect_no_errors
expect_json 'length == 1'
expect_json '.[0] | .index == 0 and .name == "hci0" and .address == "00:AA:01:00:00:00" and .state == "up"'

run btatt adapters
expect_status 0
expect_output 'hci0.*00:AA:01:00:00:00'
