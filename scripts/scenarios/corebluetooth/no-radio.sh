#!/usr/bin/env bash
# environment: controller-and-bumble
# Without an adapter of that number, and without rights, a program is told so by the state.
source "$(dirname "$0")/../../lib/expect.sh"

watcher=$project/.build/debug/state-watcher

# expect_state ADAPTER LINE COMMAND...: the first thing that is said, and the last.
expect_state() {
    local adapter=$1 line=$2
    shift 2
    run_in_background env BLUETOOTH_ADAPTER="$adapter" BLUETOOTH_STATE_DIRECTORY="$scratch/state-$adapter" "$@"
    wait_for_output 20 "^$line\$"
    sleep 1
    interrupt INT
    finish
    [[ $(<"$output") == "$line" ]] || fail "it said: $(<"$output")"
}

expect_state hci7 'there is no Bluetooth' "$watcher"

# As nobody, with a folder of its own and a copy of the program where everybody may read it.
install -m 755 "$watcher" /run/state-watcher
install -d -o 65534 -g 65534 "$scratch/state-hci0"
chmod 711 "$scratch"
expect_state hci0 'Bluetooth may not be used' \
    setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all /run/state-watcher
rm -f /run/state-watcher
