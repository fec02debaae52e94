#!/usr/bin/env bash
# new_seeds.sh PROGRAM [ARGUMENT…]: runs the simulator from a seed that the latest commit gives, so that each commit
# tries others and a failure comes again with the same tree. Outside of a repository: from the time.
set -euo pipefail

program=$1
shift
commit=$(git -C "$(dirname "$0")" rev-parse HEAD 2>/dev/null || true)
if [ -n "$commit" ]; then seed=$((16#${commit:0:12})); else seed=now; fi
exec "$program" --seed "$seed" "$@"
