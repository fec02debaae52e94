"""Programs that tests need and that are built once: where they are kept, and how they come there.

The cache directory is outside the build tree, so that `make clean` and new clones leave it alone. A program
is kept under its version or under what its files say, and is there as a whole or not at all.
"""

import contextlib
import fcntl
import hashlib
import os
import pathlib
import shutil
import signal
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Failed(Exception):
    """A program cannot be had; says why."""


def cache_directory():
    base = os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache"
    return pathlib.Path(base) / "millrace"


def content_of(folder):
    """A short text that changes when a file of the folder does."""
    content = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        content.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return content.hexdigest()[:16]


@contextlib.contextmanager
def working_directory(folder):
    """An empty folder, which nobody else has meanwhile. Some gigabytes may be in it for a while, so it
    goes however we end; what a kill has left goes with the next build."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / "lock", "w", encoding="ascii") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        work = folder / "work"
        shutil.rmtree(work, ignore_errors=True)
        work.mkdir()
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)


def run(command, **options):
    """Shows what a command says only when it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, check=False, **options)
    if done.returncode:
        raise Failed(f"{command[0]} failed:\n{done.stdout}")


def say(sentence):
    print(sentence, file=sys.stderr, flush=True)


def print_paths(tool, paths):
    """The whole of a tool: `paths` builds what is missing and tells where everything is."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    try:
        for path in paths():
            print(path)
    except (OSError, Failed) as error:
        sys.exit(f"{tool}: {error}")
