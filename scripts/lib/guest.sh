# shellcheck shell=bash
# What the scripts inside the virtual machine share: starting and stopping controllers and peers, and asking the kernel
# how an adapter is. Sourced, never run.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# Processes of the running environment, one file each with its id, and their output beside them.
guest=/run/btatt
mkdir -p "$guest"

# start NAME COMMAND...: runs a command in the background as part of the environment.
start() {
    local name=$1
    shift
    setsid "$@" >"$guest/$name.log" 2>&1 </dev/null &
    echo $! >"$guest/$name.pid"
}

# stop NAME...: ends parts of the environment, and waits until they are gone.
stop() {
    local name pid
    for name; do
        [[ -f $guest/$name.pid ]] || continue
        pid=$(<"$guest/$name.pid")
        kill "$pid" 2>/dev/null || true
        wait_for 5 eval "! kill -0 $pid 2>/dev/null" || kill -KILL "$pid" 2>/dev/null || true
        rm -f "$guest/$name.pid"
    done
}

# Ends everything that the environment started: peers before the controllers they sit on.
stop_environment() {
    stop peripheral bluetoothd dbus btvirt
    wait_for 5 eval '! compgen -G "/sys/class/bluetooth/hci*" >/dev/null' || die "a controller is left over"
}

# start_controllers EXPECTED BTVIRT-ARGUMENT...: virtual controllers, until the kernel knows the one named.
start_controllers() {
    local expected=$1
    shift
    # This machine's own sockets show through from outside the guest.
    rm -f /tmp/bt-server-*
    start btvirt btvirt "$@"
    wait_for 10 test -e "/sys/class/bluetooth/$expected" || die "btvirt made no $expected: $(<"$guest/btvirt.log")"
}

# set_power INDEX SETTING...: settings of an adapter over the management socket, such as "le on".
configure() {
    local index=$1 setting
    shift
    for setting; do
        # shellcheck disable=SC2086  # a setting is two words
        btmgmt --index "$index" $setting >/dev/null
    done
}

# controller_status ADAPTER OGF OCF PARAMETER...: the status, two digits, with which a controller answers a command.
controller_status() {
    local adapter=$1
    shift
    hcitool -i "$adapter" cmd "$@" | sed -n '/^> HCI Event/{n;s/ *$//;s/.* //p}'
}

# Whether the controller scans: then it refuses new scan parameters (Command Disallowed, 0x0C), those of the commands
# that its features call for.
is_scanning() {
    local command=(0x08 0x000b 00 10 00 10 00 00 00)
    has_extended_scanning "$1" && command=(0x08 0x0041 00 00 01 00 10 00 10 00)
    [[ $(controller_status "$1" "${command[@]}") == 0C ]]
}

# LE Read Local Supported Features, bit 12.
has_extended_scanning() {
    local octets
    octets=$(hcitool -i "$1" cmd 0x08 0x0003 | sed -n '/^> HCI Event/{n;p}')
    # shellcheck disable=SC2086  # split into octets: packet count, opcode, status, features
    set -- $octets
    ((0x$6 & 0x10))
}

has_connections() {
    hcitool -i "$1" con | grep -q handle
}
