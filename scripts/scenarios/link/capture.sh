#!/usr/bin/env bash
# environment: controller-and-bumble
# A session captured by itself, and recorded from beside: both files hold what crossed the host controller interface, the
# ends of the connection included, and tshark reads both.
source "$(dirname "$0")/../../lib/expect.sh"

# Somebody listens in, all the while.
env --default-signal=INT "$BTATT" record "$scratch/record.btsnoop" -i hci0 >/dev/null 2>"$scratch/record.log" &
recorder=$!
wait_for 10 test -s "$scratch/record.btsnoop" || fail "nothing is recorded: $(<"$scratch/record.log")"
wait_for_link_to_close

run btatt "${target[@]}" --capture "$scratch/session.btsnoop" read 180d/2a38
expect_status 0
expect_no_errors
wait_for_link_to_close
kill -INT "$recorder"
status=0
wait "$recorder" || status=$?
expect_status 130

for file in session record; do
    run btatt decode "$scratch/$file.btsnoop"
    expect_status 0
    expect_output "connected to $peripheral/random as central"
    expect_output '> Exchange MTU Request  MTU 517'
    expect_output '< Read Response .*2a38 Body Sensor Location'
    mv "$output" "$scratch/$file.lines"
    if command -v tshark >/dev/null; then
        tshark -r "$scratch/$file.btsnoop" -Y btatt -T fields -e btatt.opcode >"$scratch/$file.tshark" 2>/dev/null
        (($(wc -l <"$scratch/$file.tshark") == $(grep -c ' #1 [<>] ' "$scratch/$file.lines"))) ||
            fail "tshark counts other PDUs in $file.btsnoop"
    fi
done
# The end of the connection is seen from beside, whatever the session itself still saw of it.
grep -q "#1 \* disconnected: " "$scratch/record.lines" ||
    fail "the end of the connection is not recorded"
