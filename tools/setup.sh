#!/usr/bin/env bash
# Installs the Debian packages that are missing for the given groups: build, test, check, fuzz, peers.
# Says and does nothing when all are there. sudo is asked for only when something is missing.
set -euo pipefail

# libboost-dev (1.74) conflicts with libboost1.81-dev and is too old for coroutines: never add it.
declare -A PACKAGES=(
    [build]="g++ cmake ninja-build pkg-config python3 ccache mold
             libboost1.81-dev libssl-dev libpq-dev libmimalloc-dev libsqlite3-dev prometheus-cpp-dev libspdlog-dev
             libfmt-dev libyaml-cpp-dev libcli11-dev libsimdjson-dev libgtest-dev librapidcheck-dev
             libgrpc++-dev libnghttp2-dev libprotobuf-dev protobuf-compiler protobuf-compiler-grpc"
    [test]="postgresql-15 pgbouncer procps curl jq openssl python3-grpcio python3-jsonschema
            python3-protobuf python3-yaml python3-venv openjdk-17-jdk-headless maven"
    [check]="git clang-16 clang-tidy-16 clang-format libclang-rt-16-dev"
    [fuzz]="clang-16 libclang-rt-16-dev"
    [peers]="python3-venv"
)

wanted=()
for group in "$@"; do
    [[ -n ${PACKAGES[$group]:-} ]] || { echo "setup.sh: no group '$group'" >&2; exit 2; }
    read -r -d '' -a names <<<"${PACKAGES[$group]}" || true
    wanted+=("${names[@]}")
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "Not a Debian system: these are expected to be installed: ${wanted[*]}" >&2
    exit 0
fi

# One call for all names. It complains about names it has never seen: those are missing, too.
installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${wanted[@]}" 2>/dev/null |
    awk '$2 == "installed" {print $1}') || true
missing=()
for name in "${wanted[@]}"; do
    grep -qxF -- "$name" <<<"$installed" || missing+=("$name")
done
((${#missing[@]})) || exit 0

as_root=()
if ((EUID != 0)); then
    if ! command -v sudo >/dev/null; then
        echo "Missing packages, and neither root nor sudo to install them. Please run as root:" >&2
        echo "    apt-get install --no-install-recommends ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
install() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -qq -y \
        --no-install-recommends "${missing[@]}" >"$log" 2>&1
}

echo "Installing: ${missing[*]}"
# The package lists are fetched only when those at hand do not do: absent, or too old.
if ! install; then
    "${as_root[@]}" apt-get update -qq
    if ! install; then
        cat "$log" >&2
        echo "Packages could not be installed. Millrace is built on Debian 12 (bookworm)." >&2
        exit 1
    fi
fi
