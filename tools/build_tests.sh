#!/usr/bin/env bash
# build_tests.sh PRESET: builds build/PRESET, and beside it the programs that tests need and that are
# built once.
set -euo pipefail
cd "$(dirname "$0")/.."

programs=()
for tool in tools/temporal_programs.py tools/shedlock_program.py tools/grpcurl_program.py \
            tools/openapi_tools.py; do
    "$tool" >/dev/null &
    programs+=($!)
done
trap 'kill "${programs[@]}" 2>/dev/null || true' EXIT
tools/build.sh "$@"
for program in "${programs[@]}"; do wait "$program"; done
trap - EXIT
