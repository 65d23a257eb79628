#!/usr/bin/env bash
# environment: controller-and-bumble
# Signed Write Commands: bumble's AES-CMAC finds the signature right, and counters go on from process to process. A wrong key
# and a counter that was used are found out.
source "$(dirname "$0")/../../lib/expect.sh"

key=$scratch/key
echo 3c4fcf098815f7aba6d2ae2816157e2b >"$key"
# Above those of earlier runs, which the peer remembers.
counter=$(date +%s)

run btatt "${target[@]}" --json write --signed --csrk "@$key" --sign-counter "$counter" 0x002f 0x0102
expect_status 0
expect_json ".[0] | .signed and .counter == $counter"
expect_peer "signed write to 0x002f, counter $counter: right"

run btatt "${target[@]}" read 0x003e --json
commands=$(jq -r '.value[0:8]' "$output")
run btatt "${target[@]}" --json write --signed --csrk "@$key" 0x002f 0x0001020304050607
expect_status 0
expect_json ".[0] | .signed and .counter == $((counter + 1))"
expect_peer "signed write to 0x002f, counter $((counter + 1)): right"
run btatt "${target[@]}" read 0x003e --json
[[ $(jq -r '.value[0:8]' "$output") != "$commands" ]] || fail "the signed value was not written"

run btatt "${target[@]}" --json write --signed --csrk 00112233445566778899aabbccddeeff --sign-counter "$counter" 0x002f 0x01
expect_status 0
expect_peer "signed write to 0x002f, counter $counter: wrong"
XDG_STATE_HOME=$scratch/elsewhere run btatt "${target[@]}" --json write --signed --csrk "@$key" --sign-counter "$counter" \
    0x002f 0x01
expect_status 0
expect_peer "signed write to 0x002f, counter $counter: used before"

# Eight octets are the most at an MTU of 23.
run btatt "${target[@]}" --mtu 23 write --signed --csrk "@$key" 0x002f 0x000102030405060708
expect_status 2
expect_sentence '9 octets.*8'
