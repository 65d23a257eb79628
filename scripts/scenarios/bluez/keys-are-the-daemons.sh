#!/usr/bin/env bash
# environment: bluez-daemon
# Beside bluetoothd: it owns the keys, which is said, and its settings stay; everything that needs none works.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

neighbour=(-i hci0 -d 00:AA:01:01:00:01/public)
before=$(adapter_settings hci0)
for command in pair unpair; do
    run btatt "${neighbour[@]}" "$command" --json
    expect_status 1
    expect_sentence 'bluetoothd \([0-9]+\).*keys.*bluetoothctl'
    expect_json '.[0].error.security == "keys-owned"'
done
# Without an agent the daemon refuses, and nothing waits for an answer.
run btatt "${neighbour[@]}" --security medium read 1800/2a00
expect_status 1
expect_sentence 'bluetoothd'

run btatt "${neighbour[@]}" read 1800/2a00
expect_status 0
run btatt "${neighbour[@]}" subscribe 1801/2a05 --indicate --duration 1
expect_status 0
expect_no_errors
[[ $(adapter_settings hci0) == "$before" ]] || fail "the adapter is set to '$(adapter_settings hci0)' instead of '$before'"
