#!/usr/bin/env bash
# environment: controller-and-bumble
# An unprivileged user is told which capability is missing and how to give it.
source "$(dirname "$0")/../../lib/expect.sh"

run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
    "$BTATT" -i hci0 scan --duration 1
expect_status 4
expect_no_output
expect_sentence 'CAP_NET_RAW.*(setcap|root|sudo)'

run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all "$BTATT" adapters --json
expect_status 0
expect_json '.[0].address == "00:AA:01:00:00:00"'
