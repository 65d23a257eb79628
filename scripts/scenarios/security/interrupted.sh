#!/usr/bin/env bash
# environment: controller-and-bumble
# Ctrl-C while the device waits for a passkey: exit status 130, no link, no key, and the adapter set as before.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

start_unpaired
before=$(adapter_settings hci0)
set_peer io keyboard
set_peer hold on
run_in_background btatt "${target[@]}" --io display pair
wait_for 20 grep -q 'enter the passkey' "$errors" || fail "no passkey is shown"
interrupt INT
finish
expect_status 130
((milliseconds < 20000)) || fail "it took $milliseconds ms to end"
wait_for 10 eval '! has_connections hci0' || fail "the link is still up"
[[ $(adapter_settings hci0) == "$before" ]] || fail "the adapter is set to '$(adapter_settings hci0)' instead of '$before'"
run btatt bonds
expect_no_output
set_peer reset
