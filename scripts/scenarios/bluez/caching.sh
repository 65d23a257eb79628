#!/usr/bin/env bash
# environment: bluez-daemon
# Caching against BlueZ's GATT server: Client Supported Features are written, the Database Hash is read, and a new process
# knows everything again by two requests, the MTU exchange and the hash. Another service means another hash and a discovery.
source "$(dirname "$0")/../../lib/expect.sh"

neighbour=(-i hci0 -d 00:AA:01:01:00:01/public)
expect_total() { expect_json "last | .kind == \"total\" and $1"; }

run btatt "${neighbour[@]}" --json --trace discover
expect_status 0
expect_total '.kept == false and .requests > 2'
grep -q '> Read By Type Request 0x0001…0xffff 2b2a' "$errors" || fail "the Database Hash was not read"
hash=$(sed -n 's/^hash //p' "$XDG_CACHE_HOME"/btatt/attributes/*)
[[ $hash =~ ^[0-9a-f]{32}$ ]] || fail "no hash was kept: '$hash'"
attributes=$(jq -c 'select(.kind != "total")' "$output")

run btatt "${neighbour[@]}" --json discover
expect_status 0
expect_no_errors
expect_total '.kept and .requests == 2'
[[ $(jq -c 'select(.kind != "total")' "$output") == "$attributes" ]] || fail "other attributes than those discovered"
run btatt "${neighbour[@]}" --json --mtu 23 discover --cached
expect_status 0
expect_total '.kept and .requests == 1'
# The path is looked up in what was kept.
run btatt "${neighbour[@]}" --json read 1800/2a00
expect_status 0
expect_json 'last | .uuid == "2a00" and .requests == 3'

# What a client can do holds for its connection, and the hash is then given to it as to any other.
script=$scratch/script
cat >"$script" <<'END'
write 1801/2b29 0x05
read 1801/2b29
read --uuid 2b2a
END
run btatt "${neighbour[@]}" --json shell "$script"
expect_status 0
expect_json "(.[0].kind == \"written\") and .[1].value == \"05\" and .[2].value == \"$hash\""

# The daemon gets another service, as from any program that registers one.
mkfifo "$scratch/commands"
bluetoothctl <"$scratch/commands" >"$scratch/bluetoothctl.log" 2>&1 &
application=$!
trap 'kill "$application" 2>/dev/null; rm -rf "$scratch"' EXIT
exec 3>"$scratch/commands"
# On hci1, which has a database of its own. A question is answered by the next line.
commands=('select 00:AA:01:01:00:01' 'menu gatt' 'register-service 1815' yes
    'register-characteristic 2a56 read,write' 0x01 'register-application')
for line in "${commands[@]}"; do
    echo "$line" >&3
    sleep 1
done
wait_for 20 grep -q 'Application registered' "$scratch/bluetoothctl.log" ||
    fail "no application was registered: $(<"$scratch/bluetoothctl.log")"

run btatt "${neighbour[@]}" --json discover
expect_status 0
expect_total '.kept == false'
expect_json 'any(.kind == "service" and .uuid == "1815") and any(.kind == "characteristic" and .uuid == "2a56")'
run btatt "${neighbour[@]}" --json discover
expect_status 0
expect_total '.kept and .requests == 2'
expect_json 'any(.kind == "characteristic" and .uuid == "2a56")'
run btatt "${neighbour[@]}" --json read 1815/2a56
expect_status 0
expect_json 'last | .value == "01" and .requests == 3'
