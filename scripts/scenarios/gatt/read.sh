#!/usr/bin/env bash
# environment: controller-and-bumble
# Reads: by path, by handle, by UUID, and one that the peer refuses.
source "$(dirname "$0")/../../lib/expect.sh"

run btatt "${target[@]}" read 180a/2a29 --json
expect_status 0
expect_no_errors
expect_json '.[0].value == "42756d626c65204c616273"'

run btatt "${target[@]}" read 180a/2a29
expect_status 0
expect_output 'Bumble Labs'

run btatt "${target[@]}" read 0x0013 --json
expect_status 0
expect_json '.[0] | .handle == 19 and .value == "01"'

run btatt "${target[@]}" read --uuid 2a24 --json
expect_status 0
expect_json '.[0].value == "48522d31"'

run btatt "${target[@]}" read 0x003c
expect_status 1
expect_no_output
expect_sentence 'application error.*0x81.*0x003c'
