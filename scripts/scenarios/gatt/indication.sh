#!/usr/bin/env bash
# environment: controller-and-bumble
# An indication arrives and is confirmed.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt "${target[@]}" subscribe 0x0035 --indicate --count 1 --json
expect_status 0
expect_no_errors
expect_json 'length == 1 and (.[0] | .handle == 53 and (.value | length == 8))'
expect_peer 'indication [0-9]+ confirmed'
