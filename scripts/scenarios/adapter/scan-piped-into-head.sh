#!/usr/bin/env bash
# environment: controller-and-bumble
# A closed pipe ends a scan, quietly, and switches scanning off.
source "$(dirname "$0")/../../lib/expect.sh"

# shellcheck disable=SC2016  # expanded by the inner shell
run bash -c '"$BTATT" -i hci0 scan --json --duplicates --duration 15 | head -n 1'
expect_status 0
expect_no_errors
expect_json 'length == 1'
