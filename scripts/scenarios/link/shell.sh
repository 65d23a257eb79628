#!/usr/bin/env bash
# environment: controller-and-bumble
# A script on one connection: its commands, values that come between them, and the first failure, which ends it. The link is
# closed and the subscription switched off in either case.
source "$(dirname "$0")/../../lib/expect.sh"

cat >"$scratch/script" <<'SCRIPT'
# One connection for all of this.
mtu
discover
read 180d/2a38
write 0x002b 'text:from a script'
read 0x002b
subscribe 180d/2a37
read 0x002b
wait 2
unsubscribe 180d/2a37
subscribe 180d/2a37 --count 3
SCRIPT
run btatt "${target[@]}" --json shell "$scratch/script"
expect_status 0
expect_no_errors
expect_json '.[0].kind == "mtu"'
expect_json 'map(select(.kind == "characteristic")) | length == 64'
expect_json '[.[] | select(.kind == "value" and .handle == 43) | .value] == ["66726f6d206120736372697074", "66726f6d206120736372697074"]'
# A path after a discovery needs no other request than the read.
expect_json '[.[] | select(.kind == "value") | .requests] | all(. == 1)'
expect_json '[.[] | select(.kind == "notification" and .handle == 16)] | length >= 4'
expect_json '.[-3:] | all(.kind == "notification")'
expect_peer 'heart rate notifications off'
wait_for_link_to_close

# The first failure.
printf 'read 0x002b\nsubscribe 180d/2a37\nwrite 180d/2a39 0x02\nread 0x002b\n' >"$scratch/script"
run btatt "${target[@]}" --json shell "$scratch/script"
expect_status 1
expect_sentence 'script:3: cannot write 0x0015.*0x80'
expect_json 'map(select(.kind == "value")) | length == 1'
expect_json 'last | .kind == "error" and .line == 3 and .error.code == 128'
expect_peer 'heart rate notifications off'
wait_for_link_to_close
