#!/usr/bin/env bash
# clang_tidy.sh BUILD: runs clang-tidy on the .cpp files that the latest change touches
# (tools/changed_files.py), or with ALL=1 on every one.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
if [[ -n ${ALL:-} ]]; then
    mapfile -t files < <(git ls-files 'src/*.cpp' 'sdk/*.cpp' 'tests/*.cpp' 'bench/*.cpp')
else
    mapfile -t files < <(tools/changed_files.py | grep -E '^(src|sdk|tests|bench)/' || true)
fi
((${#files[@]})) || { echo "clang-tidy: nothing has changed."; exit 0; }

echo "clang-tidy: ${#files[@]} files"
printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-16 -p "$build" --quiet 2> >(
        grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated|^Suppressed|^Use -' >&2 || true
    )
