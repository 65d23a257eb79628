#!/usr/bin/env bash
# environment: controller-and-bumble --rpa
# A device behind a resolvable private address: paired by its name, then recognised by its identity and by its name.
source "$(dirname "$0")/../../lib/expect.sh"

named=(-i hci0 -d "name:Bumble HR")
start_unpaired
run btatt "${named[@]}" pair --json
expect_status 0
expect_json '.[0] | .address == "F0:F1:F2:F3:F4:F5" and .addressType == "random" and .kept'
run btatt bonds --json
expect_json '.[0].identityKey'

for device in "$peripheral/random" "$peripheral" "name:Bumble HR"; do
    run btatt -i hci0 -d "$device" read 0x0038
    expect_status 0
    expect_no_errors
    expect_output 736563726574
done
(($(paired_times) == 1)) || fail "it paired again although there is a key"

run btatt "${target[@]}" unpair
expect_status 0
# Nobody knows it by its identity any more.
run btatt "${target[@]}" --timeout 3 read 0x0038
expect_status 5
