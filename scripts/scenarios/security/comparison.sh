#!/usr/bin/env bash
# environment: controller-and-bumble
# Numeric comparison: the same number on both sides, said to be so on a terminal; no on either side; and nobody to ask.
source "$(dirname "$0")/../../lib/expect.sh"

start_unpaired
set_peer io yesno

# Without a terminal nobody can compare.
run btatt "${target[@]}" --io yesno pair
expect_status 1
grep -q 'not confirmed' "$errors" || fail "it does not say that nobody confirmed"

# typing ANSWER: a terminal on which the answer is typed three seconds after the start.
typing() {
    # shellcheck disable=SC2016  # expanded by the inner shell
    run bash -c '(sleep 3; echo "$1"; sleep 4) | TERM=xterm script --quiet --return --command "$2" /dev/null' \
        typing "$1" "$BTATT ${target[*]} --io yesno pair"
}

typing no
expect_status 1
expect_output 'not confirmed'

set_peer mismatch on
typing yes
expect_status 1
expect_output 'refused to pair'

set_peer mismatch off
typing yes
expect_status 0
expect_output 'paired with.*protected against'
number=$(sed -n 's/.*show the number \([0-9]\{6\}\)?.*/\1/p' "$output" | tail -n 1)
expect_peer "compares $number"

run btatt "${target[@]}" --security high read 0x0038
expect_status 0
expect_output 736563726574
run btatt "${target[@]}" unpair
expect_status 0
set_peer reset
