#!/usr/bin/env bash
# proto_breaking.sh: lints proto/ and compares it with that of an earlier commit, which the file
# proto/earlier_commit names: clients of that one must be served by this one. buf comes from npm, once
# for each version, into the cache directory.
set -euo pipefail
cd "$(dirname "$0")/.."

version=1.74.0
folder=${XDG_CACHE_HOME:-$HOME/.cache}/millrace/buf/$version
buf=$folder/node_modules/.bin/buf
if [[ ! -x $buf ]]; then
    command -v npm >/dev/null || { echo "proto_breaking.sh: npm is missing." >&2; exit 1; }
    mkdir -p "$folder"
    npm install --prefix "$folder" --no-save --no-audit --no-fund --loglevel=error \
        "@bufbuild/buf@$version" >&2
fi

# Moves on when a version is released.
commit=$(<proto/earlier_commit)
git cat-file -e "$commit^{commit}" 2>/dev/null || {
    echo "proto_breaking.sh: commit $commit is not in this clone: fetch the whole history." >&2
    exit 1
}
earlier=$(mktemp -d)
trap 'rm -rf "$earlier"' EXIT
git archive "$commit" proto | tar -x -C "$earlier"

"$buf" lint proto
"$buf" breaking proto --against "$earlier/proto"
