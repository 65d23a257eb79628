#!/usr/bin/env bash
# environment: controller-and-bumble
# Passkeys, shown by the device and entered here, and the other way round: the right one, a wrong one, and none.
source "$(dirname "$0")/../../lib/expect.sh"

start_unpaired
set_peer io display
set_peer passkey 42

run btatt "${target[@]}" --passkey 111111 read 0x0038 --json
expect_status 1
expect_sentence 'the passkey was wrong'
expect_json '.[0].error | .code == 15 and .security == "wrong-passkey"'

run btatt "${target[@]}" --io keyboard pair
expect_status 1
expect_sentence 'not confirmed.*--passkey'

run btatt "${target[@]}" --security high --passkey 000042 pair --json
expect_status 0
expect_no_errors
expect_json '.[0] | .kind == "paired" and .new and .kept and .security == "fips"'
run btatt "${target[@]}" --security high read 0x0038
expect_status 0
expect_output 736563726574
run btatt "${target[@]}" unpair
expect_status 0

# The device has the keyboard.
set_peer forget
set_peer io keyboard
set_peer hold on
run_in_background btatt "${target[@]}" --io display pair
wait_for 20 grep -q 'enter the passkey' "$errors" || fail "no passkey is shown"
expect_peer 'waits for a passkey'
set_peer passkey "$((10#$(sed -n 's/.*passkey \([0-9]\{6\}\).*/\1/p' "$errors")))"
finish
expect_status 0
expect_output 'paired with.*protected against'
run btatt "${target[@]}" read 0x0038
expect_status 0
run btatt "${target[@]}" unpair

set_peer forget
set_peer hold off
set_peer passkey 1
run btatt "${target[@]}" --io display pair
expect_status 1
grep -q 'the passkey was wrong' "$errors" || fail "it does not say that the passkey was wrong"
set_peer reset
