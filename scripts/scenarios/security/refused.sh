#!/usr/bin/env bash
# environment: controller-and-bumble
# A device that refuses to pair, and options that do: each says why, within two seconds, and nothing is kept.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

start_unpaired
before=$(adapter_settings hci0)
set_peer refuse on
for _ in 1 2 3; do
    run btatt "${target[@]}" read 0x0038 --json
    expect_status 1
    expect_sentence '0x0f.*refused to pair.*0x05'
    expect_json '.[0].error | .code == 15 and .handle == 56 and .security == "pairing-refused"'
    ((milliseconds >= 2000)) || break
done
((milliseconds < 2000)) || fail "the refusal took $milliseconds ms"
run btatt "${target[@]}" pair
expect_status 1
expect_sentence 'refused to pair'
set_peer reset

run btatt "${target[@]}" --no-elevate read 0x0038
expect_status 1
expect_sentence 'Insufficient Encryption.*pair'
run btatt "${target[@]}" --security high pair
expect_status 1
expect_sentence 'protection against a man in the middle'
run btatt bonds
expect_no_output
[[ $(adapter_settings hci0) == "$before" ]] || fail "the adapter is set to '$(adapter_settings hci0)' instead of '$before'"

# Who may not manage adapters may not pair, and is told so at once.
run setpriv --reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all \
    "$BTATT" "${target[@]}" read 0x0038
expect_status 4
expect_sentence 'CAP_NET_ADMIN'
