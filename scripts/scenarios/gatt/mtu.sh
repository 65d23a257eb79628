#!/usr/bin/env bash
# environment: controller-and-bumble
# The MTU asked for by default, a smaller one, and none.
source "$(dirname "$0")/../../lib/expect.sh"

for mtu in 517 100 23; do
    run btatt "${target[@]}" --mtu "$mtu" mtu --json
    expect_status 0
    expect_no_errors
    expect_json ".[0].mtu == $mtu"
    wait_for_link_to_close
done
