#!/usr/bin/env bash
# environment: controller-and-bumble
# Discovery finds all of the peripheral's database: 64 characteristics in 200 attributes.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt "${target[@]}" discover --json
expect_status 0
expect_no_errors
expect_json 'map(select(.kind == "characteristic")) | length == 64'
# A characteristic stands for two attributes, its declaration and its value.
expect_json 'map(if .kind == "characteristic" then 2 elif .kind == "total" then 0 else 1 end) | add == 200'
expect_json 'last | .kind == "total" and .count == 200'
expect_json 'any(.kind == "include" and .uuid == "180f")'
expect_json 'any(.kind == "service" and .uuid == "b7a70002-1d00-4c1e-9f00-00a77a77a77a")'
expect_json 'any(.kind == "characteristic" and .uuid == "2a37" and .name == "Heart Rate Measurement")'

# The same at the smallest MTU.
grep -v '"total"' "$output" >"$scratch/large"
run btatt "${target[@]}" --mtu 23 discover --refresh --json
expect_status 0
grep -v '"total"' "$output" | diff "$scratch/large" - || fail "the database differs at MTU 23"

run btatt "${target[@]}" services --uuid 180d
expect_status 0
expect_output '180d'
