#!/usr/bin/env bash
# environment: controller-and-bumble
# What is to be signed is signed on a link that is not encrypted, bonded or not, and goes as a plain Write Command on one that
# is, whatever it was encrypted for; no counter is used then.
source "$(dirname "$0")/../../lib/expect.sh"

key=3c4fcf098815f7aba6d2ae2816157e2b
counter=$(date +%s)
written() {
    run btatt "${target[@]}" read 0x003e --json
    jq -r '.value[0:8]' "$output"
}
signs() {
    tail -n "+$((said_before + 1))" "$peer_log" | grep -c 'signed write' || true
}

start_unpaired
before=$(written)
run btatt "${target[@]}" --security medium --json write --signed --csrk "$key" --sign-counter "$counter" 0x002f 0x0102
expect_status 0
expect_json '.[0] | .signed == false and has("counter") == false'
[[ $(written) != "$before" ]] || fail "the Write Command did not arrive"
(($(signs) == 0)) || fail "the peer got a signature on an encrypted link"

# Bonded, and not encrypted.
run btatt "${target[@]}" --json write --signed --csrk "$key" --sign-counter "$counter" 0x002f 0x0102
expect_status 0
expect_json ".[0] | .signed and .counter == $counter"
expect_peer "signed write to 0x002f, counter $counter: right"

# Encrypted in the middle of a connection, because an attribute wants it.
script=$scratch/script
cat >"$script" <<END
write --signed --csrk $key 0x002f u8:1
read 0x0038
write --signed --csrk $key 0x002f u8:2
END
run btatt "${target[@]}" --json shell "$script"
expect_status 0
expect_json "map(select(.kind == \"written\")) | length == 2 and .[0].counter == $((counter + 1)) and .[0].signed
    and .[1].signed == false"
expect_peer "signed write to 0x002f, counter $((counter + 1)): right"
(($(signs) == 2)) || fail "the peer got $(signs) signatures instead of 2"

run btatt "${target[@]}" unpair
expect_status 0
