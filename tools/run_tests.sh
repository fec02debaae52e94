#!/usr/bin/env bash
# run_tests.sh PRESET [CTEST ARGUMENT…]: runs the tests of build/PRESET beside a real PostgreSQL.
# Shows failures and the summary; build/PRESET/Testing/Temporary/LastTest.log has everything.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
passed='^ *(Start +[0-9]+: |[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed +[0-9.]+ sec$)'

tools/with_postgres.py --fast \
    ctest --test-dir "build/$preset" -j "${JOBS:-$(nproc)}" --output-on-failure --no-tests=error "$@" |
    grep -vE "$passed"
