#!/usr/bin/env bash
# environment: controller-and-bumble
# How many requests a discovery of the peripheral's 200 attributes takes, the MTU exchange included, and how many it takes
# to know them again. bumble's own client needs 73 at an MTU of 517 and 121 at 23.
source "$(dirname "$0")/../../lib/expect.sh"

expect_requests() { expect_json "last | .kind == \"total\" and .count == 200 and .kept == $1 and .requests $2"; }

run btatt "${target[@]}" --json discover
expect_status 0
expect_requests false '== 10'

# What was found is kept: the Database Hash proves that it still holds.
run btatt "${target[@]}" --json discover
expect_status 0
expect_requests true '== 2'
run btatt "${target[@]}" --json discover --cached
expect_status 0
expect_requests true '== 2'
run btatt "${target[@]}" --json read 180f/2a19
expect_status 0
expect_json 'last | .uuid == "2a19" and .requests == 3'

run btatt "${target[@]}" --mtu 185 --json discover --refresh
expect_status 0
expect_requests false '== 14'
run btatt "${target[@]}" --mtu 23 --json discover --refresh
expect_status 0
expect_requests false '== 67'

# Without an MTU exchange the Database Hash is all that is asked for.
run btatt "${target[@]}" --mtu 23 --json discover
expect_status 0
expect_requests true '== 1'

# A file that was changed is not believed.
sed -i 's/^hash .*/hash 00112233445566778899aabbccddeeff/' "$XDG_CACHE_HOME"/btatt/attributes/*.attributes
run btatt "${target[@]}" --json discover --cached
expect_status 1
expect_sentence 'nothing was kept that the device proves to hold'
rm -r "$XDG_CACHE_HOME"

# A path alone asks for what it needs: the MTU, the service, its characteristics, the value.
run btatt "${target[@]}" --json read 180f/2a19
expect_status 0
expect_json 'last | .uuid == "2a19" and .requests == 4'
[[ ! -e $XDG_CACHE_HOME/btatt/attributes ]] || fail "a part of the attributes was kept as if it were all"
