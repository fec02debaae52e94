#!/usr/bin/env bash
# build.sh PRESET [TARGET…]: configures build/PRESET when needed and builds it.
# Silent when all goes well and nobody watches; on a terminal ninja shows its progress line.
set -euo pipefail
cd "$(dirname "$0")/.."

preset=$1
shift
directory=build/$preset

if [[ ! -f $directory/build.ninja || CMakePresets.json -nt $directory/build.ninja ]]; then
    mkdir -p "$directory"
    echo "Configuring $directory"
    cmake --preset "$preset" >"$directory/configure.log" 2>&1 || {
        cat "$directory/configure.log" >&2
        exit 1
    }
fi

quiet=--quiet
[[ -t 1 ]] && quiet=
echo "Building $directory"
exec ninja -C "$directory" $quiet -j "${JOBS:-$(nproc)}" "$@"
