#!/usr/bin/env bash
# environment: controller-and-bumble
# Ctrl-C while connecting to a device that is not there: exit status 130, and the attempt is over in the controller too.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

run_in_background btatt -i hci0 -d C0:00:00:00:00:01/random read 0x0003
# The kernel scans for the device before it connects.
wait_for 20 is_scanning hci0 || fail "nothing is attempted"
interrupt INT
finish
expect_status 130
expect_no_output

run btatt -i hci0 -d "$peripheral/random" read 180a/2a29
expect_status 0
