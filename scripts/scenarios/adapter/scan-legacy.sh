#!/usr/bin/env bash
# environment: controller-and-bumble
# A scan on a controller with legacy advertising names the peripheral, its kind of address and its services.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 scan --json --duration 3
expect_status 0
expect_no_errors
expect_json "any(.address == \"$peripheral\" and .addressType == \"random\")"
expect_json "any(.address == \"$peripheral\" and .name == \"Bumble HR\" and ([\"180d\", \"180f\"] - .services == []))"

# In a pipe, plain lines; it ends by itself at the count.
run btatt -i hci0 scan --count 1 --name Bumble
expect_status 0
expect_output "$peripheral.*Bumble HR"
