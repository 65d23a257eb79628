#!/usr/bin/env bash
# environment: controller-and-bumble
# A device that can show and enter nothing: the encrypted characteristic is read with a pairing that asks nobody, then in
# new processes with the stored key, each time within two seconds; and what pairing set at the adapter is set back.
source "$(dirname "$0")/../../lib/expect.sh"
source "$(dirname "$0")/../../lib/guest.sh"

start_unpaired
before=$(adapter_settings hci0)
[[ $before == *powered* ]] || fail "no settings to see: '$before'"

# A machine that does other things as well may be slow once.
for _ in 1 2 3; do
    set_peer forget
    run btatt "${target[@]}" read 0x0038 --json
    expect_status 0
    expect_no_errors
    expect_json '.[0].value == "736563726574"'
    ((milliseconds >= 2000)) || break
    run btatt "${target[@]}" unpair
    expect_status 0
done
((milliseconds < 2000)) || fail "pairing and reading took $milliseconds ms"
pairings=$(paired_times)

run btatt bonds --json
expect_json 'length == 1 and (.[0] | .address == "F0:F1:F2:F3:F4:F5" and .addressType == "random"
    and .authenticated == false and .secureConnections and .keySize == 16 and .identityKey)'
[[ $(stat -c '%a %U' /var/lib/btatt /var/lib/btatt/bonds) == $'700 root\n600 root' ]] || fail "the keys are not root's alone"

run btatt "${target[@]}" read 0x0038 --json
expect_status 0
expect_json '.[0].value == "736563726574"'
((milliseconds < 2000)) || fail "reading with the stored key took $milliseconds ms"
run btatt "${target[@]}" --security medium read 0x0038
expect_status 0
run btatt "${target[@]}" pair
expect_status 0
expect_output 'paired already'
(($(paired_times) == pairings)) || fail "it paired again although there is a key"

run btatt "${target[@]}" unpair --json
expect_status 0
expect_json '.[0] | .kind == "unpaired" and .bonds == 1'
run btatt bonds
expect_no_output
run btatt "${target[@]}" unpair
expect_status 1
expect_sentence 'no bond'
[[ $(adapter_settings hci0) == "$before" ]] || fail "the adapter is set to '$(adapter_settings hci0)' instead of '$before'"
