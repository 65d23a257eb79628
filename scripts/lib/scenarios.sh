# shellcheck shell=bash
# What the runners of scenario scripts share: running one with a time limit, and saying how all of them went. Sourced,
# never run.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"

# scenario_name PATH: the folder and the name, such as gatt/read.
scenario_name() {
    local name=${1#"$project/scripts/scenarios/"}
    printf '%s\n' "${name%.sh}"
}

# find_scenarios NAME...: the paths of scenarios, of all in a folder, or of all that there are.
find_scenarios() {
    (($#)) || set -- gatt adapter link security bluez corebluetooth
    local name
    for name; do
        if [[ -d $project/scripts/scenarios/$name ]]; then
            printf '%s\n' "$project/scripts/scenarios/$name"/*.sh
        elif [[ -f $project/scripts/scenarios/$name.sh ]]; then
            printf '%s\n' "$project/scripts/scenarios/$name.sh"
        else
            die "there is no scenario '$name' in scripts/scenarios"
        fi
    done
}

# run_scenario PATH LOGS [CHECK]: runs one with a time limit, then CHECK, which prints what is wrong, if anything. Keeps
# LOGS/NAME.log and a line in LOGS/results, and prints that line.
run_scenario() {
    local name log began=$SECONDS result=ok faults
    name=$(scenario_name "$1")
    log=$2/$name.log
    mkdir -p "$(dirname "$log")"
    timeout --kill-after=5 90 bash "$1" >>"$log" 2>&1 </dev/null || result=FAILED
    if [[ -n ${3:-} ]] && faults=$("$3" 2>&1) && [[ -n $faults ]]; then
        echo "FAILED: after the scenario, $faults" >>"$log"
        result=FAILED
    fi
    printf '%-6s %s (%d s)\n' "$result" "$name" $((SECONDS - began)) | tee -a "$2/results"
    [[ $result == ok ]]
}

# summarise WHAT LOGS SCENARIO...: shows the logs of all that did not pass and counts. Results and logs lie in LOGS or in
# folders below; a scenario without a result counts as failed.
summarise() {
    local what=$1 logs=$2 passed=0 failed=0 missing=() scenario name log
    shift 2
    for scenario; do
        name=$(scenario_name "$scenario")
        if grep -qrs --include=results "^ok  *$name " "$logs"; then
            passed=$((passed + 1))
            continue
        fi
        failed=$((failed + 1))
        log=$(find "$logs" -path "*/$name.log" -size +0)
        if [[ -z $log ]]; then
            missing+=("$name")
            continue
        fi
        printf '\n---- %s ----\n' "$name"
        cat "$log"
    done
    ((${#missing[@]} == 0)) || printf '\nDid not run: %s\n' "${missing[*]}"
    printf '\n%s took %d s:\n%d passed, %d failed\n' "$what" "$SECONDS" "$passed" "$failed"
    ((failed == 0))
}
