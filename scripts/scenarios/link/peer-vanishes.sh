#!/usr/bin/env bash
# environment: controller-and-bumble --vanish
# The peer disconnects in the middle of a long read: it is said which operation was under way, at once.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt -i hci0 -d "$peripheral/random" --mtu 23 read 0x0031
expect_status 6
expect_no_output
expect_sentence '(disconnected|link.*(lost|closed)|connection.*(lost|closed)|terminated)'
