#!/usr/bin/env bash
# environment: controller-and-bumble
# Writes with and without response arrive, and a write that the peer refuses says why.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt "${target[@]}" write 0x002b text:hello
expect_status 0
expect_no_errors
run btatt "${target[@]}" read 0x002b --json
expect_json '.[0].value == "68656c6c6f"'

run btatt "${target[@]}" read 0x003e --json
commands=$(jq -r '.value[0:8]' "$output")
run btatt "${target[@]}" write --command 0x002f 0x0102
expect_status 0
run btatt "${target[@]}" read 0x003e --json
expect_status 0
[[ $(jq -r '.value[0:8]' "$output") != "$commands" ]] || fail "the Write Command did not arrive"

run btatt "${target[@]}" write 180d/2a39 0x02
expect_status 1
expect_sentence '0x80.*0x0015'
