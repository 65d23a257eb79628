#!/usr/bin/env bash
# environment: controller-and-bumble
# LE legacy pairing, by Just Works and by a passkey: its keys too encrypt a later connection.
source "$(dirname "$0")/../../lib/expect.sh"

start_unpaired
set_peer legacy on

run btatt "${target[@]}" pair
expect_status 0
run btatt bonds --json
expect_json '.[0] | .secureConnections == false and .authenticated == false'
run btatt "${target[@]}" read 0x0038
expect_status 0
expect_output 736563726574
(($(paired_times) == 1)) || fail "it paired again although there is a key"
run btatt "${target[@]}" unpair

set_peer forget
set_peer io display
run btatt "${target[@]}" --passkey 654321 pair
expect_status 1
expect_sentence 'the passkey was wrong'
run btatt "${target[@]}" --passkey 123456 pair
expect_status 0
run btatt bonds --json
expect_json '.[0] | .secureConnections == false and .authenticated'
run btatt "${target[@]}" --security high read 0x0038
expect_status 0
expect_output 736563726574

# More than legacy pairing gives is not had, and is said at once.
run btatt "${target[@]}" --security fips --passkey 123456 read 0x0038
expect_status 1
expect_sentence 'protection'
run btatt "${target[@]}" unpair
set_peer reset
