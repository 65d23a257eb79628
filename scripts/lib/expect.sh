# shellcheck shell=bash
# What the scenario scripts are written with: run a program, then say what it must have done. Sourced, never run.
#
#   run COMMAND...               runs it to its end; leaves $status, $output and $errors (files)
#   run_in_background COMMAND... and finish      the same in two steps
#   expect_…                     ends the scenario as failed, with one line that says what differs
#
# From the runner: BTATT, the program under test; BTATT_TARGET, the options that name bumble's peripheral;
# BTATT_PEER_LOG, what that peripheral logs.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What the program keeps between its runs is a scenario's own.
export XDG_CACHE_HOME=$scratch/cache XDG_STATE_HOME=$scratch/state
output=$scratch/output errors=$scratch/errors status='' milliseconds=0
# No command of a scenario may take longer than this.
limit=40
peripheral=F0:F1:F2:F3:F4:F5
read -ra target <<<"${BTATT_TARGET:--i hci0 -d $peripheral/random}"
peer_log=${BTATT_PEER_LOG:-/run/btatt/peripheral.log}
said_before=$(wc -l 2>/dev/null <"$peer_log" || echo 0)

fail() {
    printf 'FAILED: %s\n' "$*"
    exit 1
}

# Signals get their default meaning back, which a shell takes away from what it runs in the background.
run_in_background() {
    command=("$@")
    local program=("$@")
    [[ $1 != btatt ]] || program=("${BTATT:?}" "${@:2}")
    started=$EPOCHREALTIME
    timeout --foreground --kill-after=5 "$limit" env --default-signal=INT,QUIT,PIPE "${program[@]}" \
        >"$output" 2>"$errors" </dev/null &
    process=$!
}

finish() {
    status=0
    wait "$process" || status=$?
    printf '\n$ %s\n' "${command[*]}"
    milliseconds=$(((${EPOCHREALTIME/./} - ${started/./}) / 1000))
    printf '  exit status %s, %d ms\n' "$status" "$milliseconds"
    # The beginning and the end are enough of a long output.
    sed 's/^/  out: /' "$output" | cut -c 1-300 | awk 'NR <= 12 { print; next } { last[NR % 8] = $0 }
        END { if (NR > 20) print "  ..."; for (i = NR > 20 ? NR - 7 : 13; i <= NR; i++) print last[i % 8] }'
    sed 's/^/  err: /' "$errors"
    ((status != 124)) || fail "it took longer than $limit seconds"
}

run() {
    run_in_background "$@"
    finish
}

# interrupt SIGNAL: what a terminal does on Ctrl-C; `timeout` hands it on.
interrupt() { kill -s "$1" "$process"; }

expect_status() { ((status == $1)) || fail "exit status $status instead of $1"; }

# expect_output PATTERN: some line of standard output matches the extended regular expression.
expect_output() { grep -Eq -- "$1" "$output" || fail "standard output lacks /$1/"; }

expect_no_output() { [[ ! -s $output ]] || fail "standard output is not empty"; }

# expect_sentence PATTERN: standard error is one line, and matches whatever the case.
expect_sentence() {
    (($(wc -l <"$errors") == 1)) || fail "standard error is $(wc -l <"$errors") lines instead of one sentence"
    grep -Eqi -- "$1" "$errors" || fail "the sentence on standard error lacks /$1/"
}

expect_no_errors() { [[ ! -s $errors ]] || fail "standard error is not empty"; }

# expect_json FILTER: the jq filter holds for the list of all objects printed.
expect_json() {
    jq --slurp --exit-status "$1" "$output" >/dev/null || fail "this does not hold for what was printed: $1"
}

# expect_peer PATTERN: the peripheral has logged, since the scenario began or within ten seconds, a matching line.
expect_peer() { wait_for 10 peer_said "$1" || fail "the peer did not log /$1/"; }
peer_said() { tail -n "+$((said_before + 1))" "$peer_log" | grep -Eq -- "$1"; }

# wait_for_output SECONDS PATTERN: until the program in the background has printed a matching line.
wait_for_output() {
    wait_for "$1" grep -Eq -- "$2" "$output" && return
    interrupt KILL
    finish
    fail "standard output lacks /$2/ after $1 seconds"
}

# The kernel keeps an unused link, with its MTU, for two seconds; other bearers are closed at once.
wait_for_link_to_close() {
    [[ ${target[*]} != *hci* ]] || wait_for 20 is_unconnected || fail "the link is still up"
}
is_unconnected() { [[ $(hcitool con) != *handle* ]]; }

# set_peer LINE: changes how the peripheral pairs, as scripts/peers/bumble/security.py says, and waits until it has.
set_peer() {
    local before
    before=$(grep -cFx "set: $*" "$peer_log" || true)
    echo "$*" >"${BTATT_PEER_CONTROL:-/run/btatt/peripheral.control}"
    wait_for 10 eval "((\$(grep -cFx 'set: $*' '$peer_log') > $before))" || fail "the peer did not take '$*'"
}

# start_unpaired: no keys on either side, whatever an earlier scenario left.
start_unpaired() {
    set_peer reset
    set_peer forget
    "$BTATT" "${target[@]}" unpair >/dev/null 2>&1 || true
}

# paired_times: how many pairings the peripheral has brought to a good end since the scenario began.
paired_times() { tail -n "+$((said_before + 1))" "$peer_log" | grep -cFx paired || true; }
