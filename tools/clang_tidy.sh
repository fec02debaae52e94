#!/usr/bin/env bash
# clang_tidy.sh BUILD: runs clang-tidy on our .cpp files that differ from the main branch, or with
# ALL=1 on every one. A changed header means every file, as its users are not known here.
set -euo pipefail
cd "$(dirname "$0")/.."

build=$1
base=$(git merge-base HEAD main 2>/dev/null || true)
mapfile -t changed < <([[ -z $base ]] || git diff --name-only --diff-filter=d "$base" -- '*.cpp' '*.hpp')

mapfile -t files < <(git ls-files 'src/*.cpp' 'sdk/*.cpp' 'tests/*.cpp' 'bench/*.cpp')
if [[ -z ${ALL:-} && -n $base ]] && ! printf '%s\n' "${changed[@]}" | grep -q '\.hpp$'; then
    mapfile -t files < <(printf '%s\n' "${changed[@]}" | grep -E '^(src|sdk|tests|bench)/' || true)
fi
((${#files[@]})) || { echo "clang-tidy: nothing has changed."; exit 0; }

echo "clang-tidy: ${#files[@]} files"
printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "${JOBS:-$(nproc)}" clang-tidy-16 -p "$build" --quiet 2> >(
        grep -vE '^[0-9]+ warnings?( and [0-9]+ errors?)? generated|^Suppressed|^Use -' >&2 || true
    )
