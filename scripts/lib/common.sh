# shellcheck shell=bash
# What the scripts share: where the project and its caches are, and how they speak. Sourced, never run.
#
#   BTATT_CACHE   the folder for kernels, disk images and Python environments; ~/.cache/btatt unless set

set -euo pipefail

project=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
cache=${BTATT_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/btatt}

# Says what a script is doing.
say() { printf '==> %s\n' "$*"; }

# Ends the script with one sentence on standard error.
die() {
    printf '%s: %s\n' "${0##*/}" "$*" >&2
    exit 1
}

# Runs a command as root, by sudo where that is needed.
as_root() {
    if (($(id -u) == 0)); then
        "$@"
    elif command -v sudo >/dev/null; then
        sudo "$@"
    else
        die "needs root for '$*', and there is no sudo"
    fi
}

# wait_for SECONDS COMMAND...: tries a command ten times a second until it succeeds.
wait_for() {
    local deadline=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS <= deadline)) || return 1
        sleep 0.1
    done
}

# locked NAME COMMAND...: runs a command while no other script of this user runs one under that name.
locked() {
    local name=$1
    shift
    mkdir -p "$cache"
    (
        flock 9
        "$@" 9>&-
    ) 9>"$cache/.$name.lock"
}

# take_program "$@": sets $program to what --program PATH says, .build/debug/btatt unless given, and $arguments to the
# other arguments.
take_program() {
    program=$project/.build/debug/btatt
    if [[ ${1:-} == --program ]]; then
        program=${2:-}
        shift $(($# < 2 ? $# : 2))
    fi
    arguments=("$@")
    [[ -x $program ]] || die "there is no program '$program'; 'swift build --product btatt' makes the usual one"
}
