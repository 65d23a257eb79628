#!/usr/bin/env bash
# environment: controller-and-bumble
# A device that is not there, by address and by name; an adapter that is not there.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 -d C0:00:00:00:00:01/random --timeout 2 read 0x0003
expect_status 5
expect_sentence 'C0:00:00:00:00:01'

run btatt -i hci0 -d name:Nobody --timeout 2 read 0x0003
expect_status 5
expect_sentence 'Nobody'

run btatt -i hci7 scan --duration 1
expect_status 3
expect_no_output
expect_sentence 'hci7'
