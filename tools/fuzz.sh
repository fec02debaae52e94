#!/usr/bin/env bash
# fuzz.sh SECONDS [TARGET…]: runs each fuzzer that long, all of them unless some are named, from the
# corpus in fuzz/corpus and what earlier runs found. Fails with the input that makes one fail.
# New inputs stay in build/fuzz/corpus; those worth keeping are merged by hand:
#     build/fuzz/fuzz/TARGET_fuzz -merge=1 fuzz/corpus/TARGET build/fuzz/corpus/TARGET
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
shift
targets=("$@")
((${#targets[@]})) || targets=(definition expression grpc_request http_request iso_duration json workflow_request)

for target in "${targets[@]}"; do
    [[ -f fuzz/${target}_fuzz.cpp ]] || { echo "fuzz.sh: no target '$target'" >&2; exit 2; }
    found=build/fuzz/corpus/$target
    failures=build/fuzz/failures/$target
    mkdir -p "$found" "$failures"
    options=(-max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
             -artifact_prefix="$failures/" -close_fd_mask=1 -print_funcs=0)
    [[ -f fuzz/dictionary/$target.dict ]] && options+=(-dict="fuzz/dictionary/$target.dict")
    log=build/fuzz/$target.log
    echo "Fuzzing $target for $seconds s"
    build/fuzz/fuzz/"${target}_fuzz" "${options[@]}" "$found" "fuzz/corpus/$target" >"$log" 2>&1 || {
        tail -n 60 "$log" >&2
        echo "The failing input is in $failures." >&2
        exit 1
    }
    grep -E 'stat::(number_of_executed_units|average_exec_per_sec)' "$log"
done
