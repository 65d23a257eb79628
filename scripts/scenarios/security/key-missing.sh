#!/usr/bin/env bash
# environment: controller-and-bumble
# The device has forgotten its key: it is said, what needs no encryption works, and after unpairing they pair again.
source "$(dirname "$0")/../../lib/expect.sh"

start_unpaired
run btatt "${target[@]}" pair
expect_status 0
set_peer forget

run btatt "${target[@]}" read 0x0038 --json
expect_status 1
expect_sentence 'no longer has the key.*unpair'
expect_json '.[0].error.security == "key-missing"'
((milliseconds < 4000)) || fail "it took $milliseconds ms to say so"
run btatt "${target[@]}" pair
expect_status 1
expect_sentence 'no longer has the key'
run btatt "${target[@]}" read 180a/2a29
expect_status 0

run btatt "${target[@]}" unpair
expect_status 0
run btatt "${target[@]}" read 0x0038
expect_status 0
run btatt "${target[@]}" unpair
expect_status 0
