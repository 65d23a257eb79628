#!/usr/bin/env bash
# environment: controller-and-bumble
# A link whose encryption fails in mid-subscription ends, and it is said that encryption was the reason.
source "$(dirname "$0")/../../lib/expect.sh"

start_unpaired
run_in_background btatt "${target[@]}" --security medium subscribe 180d/2a37 --json
wait_for_output 20 notification
set_peer disconnect 0x3d
finish
expect_status 6
expect_sentence 'encryption.*0x3d'
expect_json '.[-1].error.security == "encryption-lost"'
run btatt "${target[@]}" unpair
expect_status 0
