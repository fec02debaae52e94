#!/usr/bin/env bash
# earlier_program.sh: prints the path of the program that servers are upgraded from. It is built once,
# from the history of this repository, and kept in the cache directory.
set -euo pipefail
cd "$(dirname "$0")/.."

# The last commit with the schema of the previous version. Moves on with each version.
commit=9ac47f10e7ff90ec8c50b6817ca6d93c24575921
program=${XDG_CACHE_HOME:-$HOME/.cache}/millrace/programs/$commit/millrace

if [[ ! -x $program ]]; then
    git cat-file -e "$commit^{commit}" 2>/dev/null || {
        echo "earlier_program.sh: commit $commit is not in this clone: fetch the whole history." >&2
        exit 1
    }
    sources=$(mktemp -d)
    trap 'rm -rf "$sources"' EXIT
    git archive "$commit" | tar -x -C "$sources"
    JOBS=${JOBS:-$(nproc)} "$sources/tools/build.sh" release millrace >&2
    mkdir -p "$(dirname "$program")"
    cp "$sources/build/release/millrace" "$program.new"
    mv "$program.new" "$program"  # Whole, or not at all.
fi
echo "$program"
