#!/usr/bin/env bash
# environment: controller-and-bumble
# Ten notifications of the heart rate, each with its time, and the subscription written back at the end.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt "${target[@]}" subscribe 180d/2a37 --count 10 --json
expect_status 0
expect_no_errors
expect_json 'length == 10 and all(.handle == 16 and (.value | test("^10[0-9a-f]{10}$")) and (.time | test("T.*\\.[0-9]{6}")))'
# The energy-expended field of this peripheral counts: none is lost or out of order.
expect_json '[.[].value[8:10]] | unique | length == 10'
expect_peer 'heart rate notifications off'
