#!/usr/bin/env bash
# environment: controller-and-bumble
# A random address said to be public reaches nobody: one sentence says what to try, and no connection stays pending.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 -d "$peripheral/public" --timeout 3 read 180a/2a29
expect_status 5
expect_no_output
expect_sentence "$peripheral.*(random|address type)"

run btatt -i hci0 -d "$peripheral/random" read 180a/2a29
expect_status 0
