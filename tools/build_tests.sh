#!/usr/bin/env bash
# build_tests.sh PRESET: builds build/PRESET, and beside it the programs that tests need and that are
# built once (tools/temporal_programs.py).
set -euo pipefail
cd "$(dirname "$0")/.."

tools/temporal_programs.py >/dev/null &
programs=$!
trap 'kill "$programs" 2>/dev/null || true' EXIT
tools/build.sh "$@"
wait "$programs"
trap - EXIT
