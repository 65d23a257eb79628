#!/usr/bin/env bash
# environment: controller-and-bumble
# Ctrl-C during a subscription: exit status 130, the subscription written back, the link closed.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

run_in_background btatt -i hci0 -d "$peripheral/random" subscribe 180d/2a37 --json
wait_for_output 30 '"value"'
has_connections hci0 || fail "there is no connection to see"
interrupt INT
finish
expect_status 130
expect_peer 'heart rate notifications off'
wait_for 4 eval '! has_connections hci0' || fail "the link is still up"
