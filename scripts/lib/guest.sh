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
    wait_for 20 eval '! compgen -G "/sys/class/bluetooth/hci*" >/dev/null' || die "a controller is left over"
}

# start_controllers "EXPECTED ..." BTVIRT-ARGUMENT...: virtual controllers, until the kernel manages those named. The kernel
# gives up on a controller that does not answer within two seconds, as happens on a busy machine; so it is tried again.
start_controllers() {
    local expected=$1
    shift
    for _ in 1 2 3; do
        # This machine's own sockets show through from outside the guest.
        rm -f /tmp/bt-server-*
        start btvirt btvirt "$@"
        # shellcheck disable=SC2086  # a list
        wait_for 15 are_managed $expected && return
        stop btvirt
    done
    die "btvirt made no $expected: $(<"$guest/btvirt.log") $(dmesg | tail -n 5)"
}

# Whether the kernel has set the adapters up: before that it takes no settings, and switches them off again.
are_managed() {
    local information adapter
    information=$(btmgmt info 2>&1)
    for adapter; do [[ $information == *"$adapter:"* ]] || return; done
}

# configure INDEX SETTING...: settings of an adapter over the management socket, such as "le on".
configure() {
    local index=$1 setting
    shift
    for setting; do
        # shellcheck disable=SC2086  # a setting is two words
        btmgmt --index "$index" $setting >/dev/null
    done
}

# switch_on INDEX: until the adapter is up. While the kernel still sets it up, on a busy machine for seconds, it takes no
# settings, and says so to nobody who waits.
switch_on() {
    for _ in 1 2 3 4; do
        configure "$1" 'power on'
        wait_for 5 is_up "hci$1" && return
    done
    die "hci$1 does not switch on: $(hciconfig "hci$1" 2>&1) $(dmesg | tail -n 5)"
}

is_up() { [[ $(hciconfig "$1" 2>&1) == *'UP RUNNING'* ]]; }

# command_complete ADAPTER OGF OCF PARAMETER...: what a controller returns for a command, as octets from the status on.
# hcitool prints whatever event comes first, so it may take several tries while others use the adapter.
command_complete() {
    local adapter=$1 octets opcode
    shift
    opcode=$(printf '%02X %02X' $(((($1 << 10) | $2) & 0xFF)) $(((($1 << 10) | $2) >> 8)))
    for _ in $(seq 20); do
        octets=$(hcitool -i "$adapter" cmd "$@" | sed -n '/^> HCI Event: 0x0e/{n;s/^ *//;p}')
        if [[ $octets == ??\ "$opcode"\ * ]]; then
            printf '%s\n' "${octets:9}"
            return
        fi
    done
    die "$adapter does not answer command $1 $2"
}

# Whether the controller scans: then it refuses new scan parameters (Command Disallowed, 0x0C), those of the commands
# that its features call for.
is_scanning() {
    local command=(0x08 0x000b 00 10 00 10 00 00 00)
    has_extended_scanning "$1" && command=(0x08 0x0041 00 00 01 00 10 00 10 00)
    [[ $(command_complete "$1" "${command[@]}") == 0C* ]]
}

# LE Read Local Supported Features, bit 12.
has_extended_scanning() {
    local octets
    read -ra octets < <(command_complete "$1" 0x08 0x0003)
    ((0x${octets[2]} & 0x10))
}

has_connections() {
    [[ $(hcitool -i "$1" con) == *handle* ]]
}

# adapter_settings ADAPTER: what the kernel says that it is set to. btmgmt ends at the end of its input, so that is kept
# open.
adapter_settings() {
    btmgmt --index "${1#hci}" info < <(sleep 10) | sed -n 's/^[[:space:]]*current settings: //p'
}
