#!/usr/bin/env bash
# environment: controller-and-bumble
# 512 octets are read and written whole, whatever the MTU.
source "$(dirname "$0")/../../lib/expect.sh"

for mtu in 517 23; do
    head -c 512 /dev/urandom >"$scratch/value"
    value=$(od -An -v -tx1 "$scratch/value" | tr -d ' \n')
    run btatt "${target[@]}" --mtu "$mtu" write 0x0031 "file:$scratch/value"
    expect_status 0
    expect_no_errors
    run btatt "${target[@]}" --mtu "$mtu" read 0x0031 --json
    expect_status 0
    expect_json ".[0].value == \"$value\""
done
