#!/usr/bin/env bash
# run_tests.sh PRESET [CTEST ARGUMENT…]: runs the tests of build/PRESET beside a real PostgreSQL.
# Shows failures and the summary; build/PRESET/Testing/Temporary/LastTest.log has everything.
#
# What sanitizers report goes to files, whichever process it is of: a server whose end no test asks about is one. Any
# such file is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
passed='^ *(Start +[0-9]+: |[0-9]+/[0-9]+ Test +#[0-9]+: .* Passed +[0-9.]+ sec$)'
reports=$PWD/build/$preset/reports

rm -rf "$reports"
mkdir -p "$reports"
export ASAN_OPTIONS="log_path=$reports/address:${ASAN_OPTIONS:-}"
export UBSAN_OPTIONS="log_path=$reports/undefined:print_stacktrace=1:${UBSAN_OPTIONS:-}"
export TSAN_OPTIONS="log_path=$reports/thread:suppressions=$PWD/tools/tsan_suppressions.txt:${TSAN_OPTIONS:-}"

status=0
tools/with_postgres.py --fast \
    ctest --test-dir "build/$preset" -j "${JOBS:-$(nproc)}" --output-on-failure --no-tests=error "$@" |
    grep -vE "$passed" || status=$?
if [ -n "$(ls -A "$reports")" ]; then
    head -n 60 "$reports"/*
    echo "Sanitizers have reported something: $(ls "$reports" | wc -l) processes, in $reports"
    exit 1
fi
exit "$status"
